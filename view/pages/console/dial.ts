/**
 * What fingers, wheel and keys make of a pot.
 *
 * @module
 */

/** What a pot may have, in dB. */
export interface Range {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

/** Fine movement is so much less. */
const FINE = 10;

/** PageUp and PageDown go so many steps. */
const PAGE_STEPS = 10;

/** Answers the nearest value that a pot may have; `isFine` takes a tenth of its steps. */
export function stepped(value: number, { min, max, step }: Range, isFine = false): number {
  const least = isFine ? step / FINE : step;
  const whole = Math.round((value - min) / least) * least + min;
  return Math.min(max, Math.max(min, Number(whole.toFixed(6))));
}

/** Answers the value so many steps further, or tenths of them. */
export function afterSteps(steps: number, value: number, range: Range, isFine: boolean): number {
  return stepped(value + steps * (isFine ? range.step / FINE : range.step), range, isFine);
}

/** Answers the value after a key; undefined for one that is none of a slider. */
export function afterKey(
  key: string,
  value: number,
  range: Range,
  isFine: boolean,
): number | undefined {
  const page = isFine ? PAGE_STEPS * FINE : PAGE_STEPS;
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: 1,
    ArrowRight: 1,
    ArrowDown: -1,
    ArrowLeft: -1,
    PageUp: page,
    PageDown: -page,
  };
  if (key === "Home") return range.min;
  if (key === "End") return range.max;
  const way = steps[key];
  return way === undefined ? undefined : afterSteps(way, value, range, isFine);
}
