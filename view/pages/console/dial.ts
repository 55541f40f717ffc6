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

/**
 * Answers where a pot stands after a finger has gone some way since it was there last, as a part
 * of the whole travel: never where it touched, but as far as it has gone. It stands between steps,
 * too, so that slow movement adds up; what is set is the {@link stepped} value of it.
 */
export function afterDrag(from: number, part: number, range: Range, isFine: boolean): number {
  const way = part * (range.max - range.min) / (isFine ? FINE : 1);
  return Math.min(range.max, Math.max(range.min, from + way));
}

/** Answers the value after a key; undefined for one that is none of a slider. */
export function afterKey(
  key: string,
  value: number,
  range: Range,
  isFine: boolean,
): number | undefined {
  const step = range.step / (isFine ? FINE : 1);
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: step,
    ArrowRight: step,
    ArrowDown: -step,
    ArrowLeft: -step,
    PageUp: range.step * PAGE_STEPS,
    PageDown: -range.step * PAGE_STEPS,
  };
  if (key === "Home") return range.min;
  if (key === "End") return range.max;
  const way = steps[key];
  return way === undefined ? undefined : stepped(value + way, range, isFine);
}
