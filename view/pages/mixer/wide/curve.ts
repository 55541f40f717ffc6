/**
 * The frequency responses of filters, by the formulas of Web Audio, which the engine in Web Audio
 * uses, too (docs/web-audio.md).
 *
 * @module
 */

/** A band of an equalizer, as the control tree has it. */
export interface Band {
  /**
   * Its type: 0 bell, 1 low shelf, 2 high shelf, 3 lowpass, 4 highpass, 5 bandpass, 6 notch,
   * 7 allpass.
   */
  readonly type: number;
  /** The frequency in Hz. */
  readonly frequency: number;
  /** The gain in dB. */
  readonly gain: number;
  readonly q: number;
}

/** A highpass or a lowpass of 6 dB an octave for each order, 3 dB down at its frequency. */
export interface Pass {
  /** The frequency in Hz. */
  readonly frequency: number;
  readonly hipass: boolean;
  readonly order: number;
}

/** The gain of a filter, in dB, at a frequency in Hz. */
export type Response = (frequency: number) => number;

const SAMPLE_RATE = 48_000;

/** The lowest gain in dB, which stands for a gain of zero: zero has no logarithm. */
const LOWEST_DB = -120;

/** The coefficients of the numerator or of the denominator of a filter of the second order. */
type Side = readonly [number, number, number];

/** The response of a band of an equalizer. */
export function bandResponse(band: Band): Response {
  const [above, below] = sidesOf(band);
  return (frequency) => {
    const part = Math.sin(angleOf(frequency) / 2) ** 2;
    const power = powerOf(above, part) / powerOf(below, part);
    return power > 0 ? Math.max(LOWEST_DB, 10 * Math.log10(power)) : LOWEST_DB;
  };
}

/** The response of a highpass or a lowpass (Butterworth). */
export function passResponse({ frequency: corner, hipass, order }: Pass): Response {
  const at = Math.tan(angleOf(corner) / 2);
  return (frequency) => {
    const ratio = Math.tan(angleOf(frequency) / 2) / at;
    const beyond = hipass ? 1 / ratio : ratio;
    return Math.max(LOWEST_DB, -10 * Math.log10(1 + beyond ** (2 * order)));
  };
}

function angleOf(frequency: number): number {
  return 2 * Math.PI * Math.min(frequency, SAMPLE_RATE / 2) / SAMPLE_RATE;
}

/** The squared magnitude of a side; `part` is the squared sine of half the angle of a frequency. */
function powerOf([b0, b1, b2]: Side, part: number): number {
  return (b0 + b1 + b2) ** 2 - 4 * part * (b0 * b1 + 4 * b0 * b2 + b1 * b2) +
    16 * part ** 2 * b0 * b2;
}

/** The numerator and the denominator of a band ("Filters Characteristics" of the standard). */
function sidesOf({ type, frequency, gain, q }: Band): readonly [above: Side, below: Side] {
  const angle = angleOf(frequency);
  const cos = Math.cos(angle);
  const alpha = Math.sin(angle) / (2 * q);
  const below: Side = [1 + alpha, -2 * cos, 1 - alpha];
  const a = 10 ** (gain / 40);
  switch (type) {
    case 1:
    case 2: {
      // A high shelf is a low shelf with its frequencies mirrored; the standard's slope is 1.
      const sign = type === 1 ? 1 : -1;
      const slope = Math.SQRT2 * Math.sin(angle) * Math.sqrt(a);
      const up = (a + 1) - sign * (a - 1) * cos;
      const down = (a + 1) + sign * (a - 1) * cos;
      return [
        [a * (up + slope), sign * 2 * a * ((a - 1) - sign * (a + 1) * cos), a * (up - slope)],
        [down + slope, sign * -2 * ((a - 1) + sign * (a + 1) * cos), down - slope],
      ];
    }
    case 3:
      return [[(1 - cos) / 2, 1 - cos, (1 - cos) / 2], below];
    case 4:
      return [[(1 + cos) / 2, -(1 + cos), (1 + cos) / 2], below];
    case 5:
      return [[alpha, 0, -alpha], below];
    case 6:
      return [[1, -2 * cos, 1], below];
    case 7:
      return [below, below];
    default:
      return [[1 + alpha * a, -2 * cos, 1 - alpha * a], [1 + alpha / a, -2 * cos, 1 - alpha / a]];
  }
}
