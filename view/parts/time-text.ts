/**
 * Times as the language of the page writes them.
 *
 * @module
 */
import { language } from "../state/preferences.ts";

const LOCALES = { en: "en-GB", de: "de-DE" };

/**
 * An instant in ISO 8601 in the time zone of the browser, with its seconds where `timeStyle` is
 * `medium`; a dash for none.
 */
export function timeText(
  instant: string | null | undefined,
  timeStyle: "short" | "medium" = "short",
): string {
  const time = Date.parse(instant ?? "");
  return Number.isNaN(time) ? "–" : new Date(time).toLocaleString(LOCALES[language.chosen.value], {
    dateStyle: "medium",
    timeStyle,
  });
}

/** The time of an instant in ISO 8601 in seconds, and its date unless that is today. */
export function recentText(instant: string): string {
  const time = new Date(instant);
  return time.toDateString() === new Date().toDateString()
    ? time.toLocaleTimeString(LOCALES[language.chosen.value])
    : timeText(instant, "medium");
}
