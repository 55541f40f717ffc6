/**
 * The values that fingers, wheel and keys give a pot.
 *
 * @module
 */

/** The range of a pot in dB. */
export interface Range {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

/** Divisor of a step for fine movement. */
const FINE = 10;

/** Returns the nearest value that a pot may have; `isFine` takes a tenth of its steps. */
export function stepped(value: number, { min, max, step }: Range, isFine = false): number {
  const least = isFine ? step / FINE : step;
  const whole = Math.round((value - min) / least) * least + min;
  return Math.min(max, Math.max(min, Number(whole.toFixed(6))));
}

/** Returns the value after `steps`, or after tenths of them where `isFine`. */
export function afterSteps(steps: number, value: number, range: Range, isFine: boolean): number {
  return stepped(value + steps * (isFine ? range.step / FINE : range.step), range, isFine);
}
