/**
 * Formats sizes and the expiry of tokens.
 *
 * @module
 */

import type { Decimal } from "../../texts/decimal.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Formats a size: `512 B`, `3.4 kB`, `12.0 MB`. */
export function size(bytes: number, decimal: Decimal): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${decimal(bytes / 1e3, 1)} kB` : `${decimal(bytes / 1e6, 1)} MB`;
}

/**
 * Returns the last day on which a token is valid all day, such as `2027-01-31`, in UTC; an empty
 * text for a token that does not expire.
 */
export function lastDay(expires: string | null): string {
  return expires === null ? "" : new Date(Date.parse(expires) - 1).toISOString().slice(0, 10);
}

/**
 * Returns the number of whole days from `now` (ms since 1970) until a time; negative if it is past.
 */
export function daysUntil(instant: string, now: number): number {
  return Math.floor((Date.parse(instant) - now) / DAY_MS);
}
