/**
 * Shows time as people on the spot read it off the clock. It stands apart from the settings
 * documents, for an idle service has no use for their schemas.
 *
 * @module
 */
import type { Settings } from "./documents.ts";

const MINUTE_MS = 60_000;

/**
 * Says whether a text names an IANA time zone that this machine knows. A distance from UTC like
 * `+01:00`, which Intl takes for a zone, too, names none: it knows no daylight saving time.
 */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the time zone that the device was given by TIMEZONE; undefined for that of the machine.
 */
export function timeZoneOf({ settings }: { readonly settings: Settings }): string | undefined {
  return settings.get("TIMEZONE")?.zone as string | undefined;
}

/**
 * Writes a time, in ms since 1970, as `YYYY-MM-DD HH:MM:SS` in an IANA time zone; by default in
 * that of the machine.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(localTime(0, "Europe/Berlin"), "1970-01-01 01:00:00");
 * ```
 */
export function localTime(time: number, zone?: string): string {
  if (zone === undefined) {
    // The time zones of Intl take 7 MB and 15 ms to load: without a zone they are not needed.
    const shifted = time - new Date(time).getTimezoneOffset() * MINUTE_MS;
    return new Date(shifted).toISOString().slice(0, "YYYY-MM-DDTHH:MM:SS".length).replace("T", " ");
  }
  const format = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const part = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, value]),
  );
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second}`;
}
