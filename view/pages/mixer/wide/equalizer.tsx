/**
 * The curve of an equalizer.
 *
 * @module
 */
import type { EqualizerParams, SubsonicParams } from "../../../../client/client.ts";
import { at } from "../../../state/live.ts";
import { texts } from "../../../texts/texts.ts";
import { type Band, responseOf } from "./curve.ts";

/** The properties of a curve. */
export interface EqualizerCurveProps {
  /** The path of `params`. */
  readonly path: string;
  /** The blocks of the processing; those that are not filters count for nothing. */
  readonly bands: readonly string[];
}

/** The picture, in its own units. */
const WIDTH = 400;
const HEIGHT = 140;
const RANGE_DB = 20;
const POINTS = 160;
const LOWEST_HZ = 20;
const HIGHEST_HZ = 20_000;

const FREQUENCIES = Array.from(
  { length: POINTS + 1 },
  (_, point) => LOWEST_HZ * (HIGHEST_HZ / LOWEST_HZ) ** (point / POINTS),
);

/** Frequencies with a line, and those that are written, in Hz. */
const LINES = [50, 100, 200, 500, 1000, 2000, 5000, 10_000];
const WRITTEN: ReadonlyMap<number, string> = new Map([[100, "100"], [1000, "1k"], [10_000, "10k"]]);

/** The subsonic filter is a highpass of 12 dB an octave. */
const HIGHPASS = { type: 4, gain: 0, q: Math.SQRT1_2 };

/** Draws what all bands that are on do together, and where each of them is. */
export function EqualizerCurve({ path, bands }: EqualizerCurveProps) {
  const on = bands.flatMap((name) => {
    const band = bandOf(name, at(`${path}/${name}`).value);
    return band === undefined ? [] : [{ ...band, name }];
  });
  const points = responseOf(on, FREQUENCIES).map((dB, point) =>
    `${x(FREQUENCIES[point]!).toFixed(1)},${y(dB).toFixed(1)}`
  );
  return (
    <svg
      class="curve"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={texts().mixer.curve}
    >
      <g class="curve-grid">
        {LINES.map((frequency) => <path key={frequency} d={`M${x(frequency)} 0V${HEIGHT}`} />)}
        {[-12, 0, 12].map((dB) => (
          <path key={dB} class={dB === 0 ? "zero" : ""} d={`M0 ${y(dB)}H${WIDTH}`} />
        ))}
        {[...WRITTEN].map(([frequency, text]) => (
          <text key={text} x={x(frequency) + 3} y={HEIGHT - 4}>{text}</text>
        ))}
        {[-12, 12].map((dB) => <text key={dB} x={3} y={y(dB) - 3}>{dB > 0 ? `+${dB}` : dB}</text>)}
      </g>
      <path class="curve-area" d={`M0,${y(0)}L${points.join("L")}L${WIDTH},${y(0)}Z`} />
      <path class="curve-line" d={`M${points.join("L")}`} />
      {on.filter(({ type }) => type <= 2).map(({ name, frequency, gain }) => (
        <circle key={name} class="curve-band" cx={x(frequency)} cy={y(gain)} r={4} />
      ))}
    </svg>
  );
}

function bandOf(name: string, block: unknown): Band | undefined {
  const { on } = block as { readonly on?: boolean } ?? {};
  if (on !== true) return undefined;
  if (name === "subsonic") return { ...HIGHPASS, frequency: (block as SubsonicParams).frequency };
  return name.startsWith("eq") ? block as EqualizerParams : undefined;
}

function x(frequency: number): number {
  return WIDTH * Math.log(frequency / LOWEST_HZ) / Math.log(HIGHEST_HZ / LOWEST_HZ);
}

function y(dB: number): number {
  return HEIGHT / 2 * (1 - Math.max(-1.1, Math.min(1.1, dB / RANGE_DB)));
}
