/**
 * The loudness range of EBU Tech 3342, of short-term loudness.
 *
 * @module
 */

/** The absolute gate in LUFS: lower values do not count. */
const ABSOLUTE_GATE = -70;

/** The relative gate in LU below the mean of the values that pass the absolute gate. */
const RELATIVE_GATE = -20;

/** The quantiles of all values between which the range lies. */
const LOW = 0.1;
const HIGH = 0.95;

/** Returns the loudness range in LU of short-term values in LUFS; undefined if none counts. */
export function loudnessRange(shortTerm: readonly number[]): number | undefined {
  const heard = shortTerm.filter((value) => value >= ABSOLUTE_GATE);
  if (heard.length === 0) return undefined;
  const power = heard.reduce((sum, value) => sum + 10 ** (value / 10), 0) / heard.length;
  const gate = 10 * Math.log10(power) + RELATIVE_GATE;
  const counted = heard.filter((value) => value >= gate).sort((one, other) => one - other);
  const at = (part: number) => counted[Math.round((counted.length - 1) * part)]!;
  return at(HIGH) - at(LOW);
}
