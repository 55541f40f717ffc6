/**
 * The curve of an equalizer: frequencies from left to right, and gains from below.
 *
 * @module
 */
import type { NumberLeaf } from "../../../../core/tree/leaf.ts";
import type { Response } from "./curve.ts";
import type { Axis } from "./drag-position.ts";
import { placeOf, valueAt } from "./slider-scale.ts";
import type { HandValue } from "./values.ts";

/** The size of the picture, in its own units, and the number of steps of its curves. */
const WIDTH = 400;
const HEIGHT = 140;
const POINTS = 160;

/** The gain at the upper edge, in dB: somewhat more than a band has. */
const RANGE_DB = 24;

/** The range of the frequencies of all filters. */
export const FREQUENCY: NumberLeaf = {
  type: "number",
  default: 1000,
  min: 20,
  max: 20_000,
  unit: "Hz",
};

const FREQUENCIES = Array.from({ length: POINTS + 1 }, (_, point) => hertzAt(point / POINTS));

/** Frequencies with a line, and frequencies with a label, in Hz. */
const LINES = [50, 100, 200, 500, 1000, 2000, 5000, 10_000];
const FREQUENCY_LABELS: ReadonlyMap<number, string> = new Map([
  [100, "100"],
  [1000, "1k"],
  [10_000, "10k"],
]);

/** Gains with a line, in dB. */
const GAINS = [-12, 0, 12];

/** The properties of a curve. */
export interface CurveProps {
  /** The responses of the bands that are on: the curve is their sum. */
  readonly responses: readonly Response[];
  /** The response of the chosen band, which has a curve of its own; undefined without one. */
  readonly chosen: Response | undefined;
}

/** Draws the curve over the lines of frequencies and gains. */
export function Curve({ responses, chosen }: CurveProps) {
  const whole = pathOf(responses);
  return (
    <>
      <svg
        class="curve"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <g class="curve-grid">
          {LINES.map((hertz) => <path key={hertz} d={`M${WIDTH * partOf(hertz)} 0V${HEIGHT}`} />)}
          {GAINS.map((dB) => (
            <path key={dB} class={dB === 0 ? "zero" : ""} d={`M0 ${heightOf(dB)}H${WIDTH}`} />
          ))}
        </g>
        <path class="curve-area" d={`M0,${heightOf(0)}L${whole}L${WIDTH},${heightOf(0)}Z`} />
        {chosen && <path class="curve-one" d={`M${pathOf([chosen])}`} />}
        <path class="curve-line" d={`M${whole}`} />
      </svg>
      {[...FREQUENCY_LABELS].map(([hertz, text]) => (
        <small key={text} class="mark-x" style={{ "--x": partOf(hertz) }}>{text}</small>
      ))}
      {GAINS.map((dB) => (
        <small key={dB} class="mark-y" style={{ "--y": partOfGain(dB) }}>
          {dB > 0 ? `+${dB}` : dB}
        </small>
      ))}
    </>
  );
}

function pathOf(responses: readonly Response[]): string {
  return FREQUENCIES.map((hertz, point) => {
    const dB = responses.reduce((sum, response) => sum + response(hertz), 0);
    return `${(WIDTH * point / POINTS).toFixed(1)},${heightOf(dB).toFixed(1)}`;
  }).join("L");
}

/** The axis along which a handle moves its frequency. */
export function acrossOf({ leaf, shown }: HandValue): Axis {
  return {
    leaf,
    shown,
    placeOf: partOf,
    valueAt: (part) => valueAt(placeOf(hertzAt(part), leaf), leaf),
  };
}

/** The axis along which a handle moves its gain. */
export function upOf({ leaf, shown }: HandValue): Axis {
  const gainAt = (part: number) => (part - 0.5) * 2 * RANGE_DB;
  return {
    leaf,
    shown,
    placeOf: partOfGain,
    valueAt: (part) => valueAt(placeOf(gainAt(part), leaf), leaf),
  };
}

/** The place of a frequency, 0..1 from the left. */
export function partOf(hertz: number): number {
  return placeOf(hertz, FREQUENCY);
}

function hertzAt(part: number): number {
  return FREQUENCY.min! * (FREQUENCY.max! / FREQUENCY.min!) ** part;
}

/** The place of a gain, 0..1 from below. */
export function partOfGain(dB: number): number {
  return 0.5 + dB / RANGE_DB / 2;
}

function heightOf(dB: number): number {
  return HEIGHT * (1 - Math.max(-0.05, Math.min(1.05, partOfGain(dB))));
}
