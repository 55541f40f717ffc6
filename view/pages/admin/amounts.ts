/**
 * Sizes and ends of tokens, as people read and write them.
 *
 * @module
 */

import type { Decimal } from "../../texts/decimal.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** A size: `512 B`, `3.4 kB`, `12.0 MB`. */
export function size(bytes: number, decimal: Decimal): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${decimal(bytes / 1e3, 1)} kB` : `${decimal(bytes / 1e6, 1)} MB`;
}

/**
 * The last day on which a token that ends at an instant is good all day, as `2027-01-31`, in UTC; an
 * empty text for one that does not end.
 */
export function lastDay(expires: string | null): string {
  return expires === null ? "" : new Date(Date.parse(expires) - 1).toISOString().slice(0, 10);
}

/** How many whole days there are from `now` (ms since 1970) until an instant; below 0 if past. */
export function daysUntil(instant: string, now: number): number {
  return Math.floor((Date.parse(instant) - now) / DAY_MS);
}
