/**
 * The lateness of ticks as a picture in text, for `fade.ts`.
 *
 * @module
 */
import { print } from "./report.ts";

const BOUNDS_MS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 6, 10, 20, Infinity];
/** Characters of the longest bar. */
const WIDEST = 60;

/** Prints how many of the ticks were how late (ms), as a picture in text. */
export function printHistogram(title: string, late: readonly number[]): void {
  print(`\n${title}`);
  const counts = BOUNDS_MS.map((bound, at) =>
    late.filter((ms) => ms < bound && ms >= (BOUNDS_MS[at - 1] ?? -Infinity)).length
  );
  const most = Math.max(...counts);
  for (const [at, count] of counts.entries()) {
    const bar = "#".repeat(Math.ceil(WIDEST * count / most));
    const bound = BOUNDS_MS[at] === Infinity ? "more" : `< ${BOUNDS_MS[at]!.toFixed(2)} ms`;
    print(`${bound.padStart(10)} ${String(count).padStart(6)} ${bar}`.trimEnd());
  }
  print("");
}
