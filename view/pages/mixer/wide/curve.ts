/**
 * What an equalizer does to each frequency: the filters that the engine in Web Audio has
 * (docs/web-audio.md), after the cookbook of Robert Bristow-Johnson.
 *
 * @module
 */

/** A band, as the control tree has it; `type` 0 bell, 1 low shelf, 2 high shelf and so on. */
export interface Band {
  readonly type: number;
  /** In Hz. */
  readonly frequency: number;
  /** In dB. */
  readonly gain: number;
  readonly q: number;
}

const SAMPLE_RATE = 48_000;

/** The numerator and the denominator of a filter, each of z to the power 0, -1 and -2. */
type Filter = readonly [number, number, number, number, number, number];

/** The response of some bands together at a frequency in Hz, in dB. */
export function responseOf(bands: readonly Band[], frequency: number): number {
  return bands.reduce((sum, band) => sum + magnitude(filterOf(band), frequency), 0);
}

function magnitude([b0, b1, b2, a0, a1, a2]: Filter, frequency: number): number {
  const w = 2 * Math.PI * frequency / SAMPLE_RATE;
  const power = (c0: number, c1: number, c2: number) =>
    (c0 + c1 * Math.cos(w) + c2 * Math.cos(2 * w)) ** 2 +
    (c1 * Math.sin(w) + c2 * Math.sin(2 * w)) ** 2;
  return 10 * Math.log10(Math.max(1e-12, power(b0, b1, b2) / power(a0, a1, a2)));
}

function filterOf({ type, frequency, gain, q }: Band): Filter {
  const w = 2 * Math.PI * Math.min(frequency, SAMPLE_RATE / 2 - 1) / SAMPLE_RATE;
  const cos = Math.cos(w);
  const a = 10 ** (gain / 40);
  const alpha = Math.sin(w) / (2 * q);
  switch (type) {
    case 1:
      return shelf(a, cos, Math.sin(w), 1);
    case 2:
      return shelf(a, cos, Math.sin(w), -1);
    case 3:
      return [(1 - cos) / 2, 1 - cos, (1 - cos) / 2, 1 + alpha, -2 * cos, 1 - alpha];
    case 4:
      return [(1 + cos) / 2, -1 - cos, (1 + cos) / 2, 1 + alpha, -2 * cos, 1 - alpha];
    case 5:
      return [alpha, 0, -alpha, 1 + alpha, -2 * cos, 1 - alpha];
    case 6:
      return [1, -2 * cos, 1, 1 + alpha, -2 * cos, 1 - alpha];
    case 7:
      return [1 - alpha, -2 * cos, 1 + alpha, 1 + alpha, -2 * cos, 1 - alpha];
    default:
      return [1 + alpha * a, -2 * cos, 1 - alpha * a, 1 + alpha / a, -2 * cos, 1 - alpha / a];
  }
}

/** Of the one slope that shelves of Web Audio have; `side` is 1 for the low one, -1 for the high. */
function shelf(a: number, cos: number, sin: number, side: 1 | -1): Filter {
  const root = Math.sqrt(2 * a) * sin;
  const c = side * cos;
  return [
    a * (a + 1 - (a - 1) * c + root),
    side * 2 * a * (a - 1 - (a + 1) * c),
    a * (a + 1 - (a - 1) * c - root),
    a + 1 + (a - 1) * c + root,
    side * -2 * (a - 1 + (a + 1) * c),
    a + 1 + (a - 1) * c - root,
  ];
}
