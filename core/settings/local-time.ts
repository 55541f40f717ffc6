/**
 * Formats local time. This file does not import the schemas of settings documents, which an idle
 * service does not need.
 *
 * @module
 */
import type { Settings } from "./documents.ts";

const MINUTE_MS = 60_000;

/**
 * Says whether a text names an IANA time zone that this machine knows. An offset from UTC like
 * `+01:00` is not a name, although Intl accepts it: it has no daylight saving time.
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

/** Returns the time zone set by TIMEZONE; undefined for that of the machine. */
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
    // Without `zone` this avoids the time zones of Intl, which take 7 MB and 15 ms to load.
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
