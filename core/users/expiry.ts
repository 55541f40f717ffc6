/**
 * The expiry of tokens (decisions.md, "Users").
 *
 * @module
 */
import { type Refusal, refuse } from "../errors.ts";
import { shown } from "../shown.ts";

/** The form in which a person writes the time at which a token expires. */
export const EXPIRES_FORM =
  "a date to come like 2027-01-31, which is the end of that day in UTC, " +
  "or an instant like 2027-01-31T18:00:00Z";

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** The form of an instant in ISO 8601. */
export const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The last instant whose year has four digits in ISO 8601: many mean "never" by 9999-12-31. */
const LAST_MS = Date.UTC(10000, 0) - 1;

/**
 * Returns the time that a text means, in ISO 8601 and UTC, at most the last millisecond of the year
 * 9999. Refuses (3) a text that is neither a date nor a time, and a time before `now` (ms since
 * 1970), because nobody could use such a token.
 */
export function readExpiry(text: string, now: number): string | Refusal {
  const time = DATE.test(text) ? startOfDay(text) + DAY_MS : instant(text);
  return time > now
    ? new Date(Math.min(time, LAST_MS)).toISOString()
    : refuse("invalidParameter", `expected ${EXPIRES_FORM}, got ${shown(text)}`, "expires");
}

/** Returns an instant in ms since 1970; NaN for a text in another form than ISO 8601. */
export function instant(text: string): number {
  const date = INSTANT.exec(text)?.[1];
  return date === undefined || Number.isNaN(startOfDay(date)) ? NaN : Date.parse(text);
}

/** Returns NaN for a day that does not exist: `Date.parse` takes February 30th for March 2nd. */
function startOfDay(date: string): number {
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? time : NaN;
}
