/**
 * The place of a level on a meter, by the scale of its mode.
 *
 * @module
 */

/** The mode of a meter: `_mode` of a level, or LUFS for loudness. */
export type MeterMode = "PPM" | "VU" | "TruePeak" | "LUFS";

/**
 * A point of a scale; the points go from the bottom up, with a straight line between two of them.
 */
type Point = readonly [dB: number, height: number];

/** The scale of a digital PPM: wide in the working range, from -40 up, and narrow below. */
const PPM: readonly Point[] = [
  [-70, 0],
  [-60, 0.025],
  [-50, 0.075],
  [-40, 0.15],
  [-30, 0.3],
  [-20, 0.5],
  [0, 1],
];

const SCALES: Readonly<Record<MeterMode, readonly Point[]>> = {
  PPM,
  // The scale of a needle, which follows the voltage.
  VU: [-60, -30, -20, -15, -10, -7, -5, -3, -2, -1, 0].map((dB) => [dB, 10 ** (dB / 20)]),
  // There is room above 0 dBTP for peaks between the samples.
  TruePeak: [[-63, 0], [3, 1]],
  // The scale +18 of EBU Tech 3341 around the target of -23 LUFS.
  LUFS: [[-59, 0], [-5, 1]],
};

/** The marks of each scale, in dB. */
export const METER_MARKS: Readonly<Record<MeterMode, readonly number[]>> = {
  PPM: [0, -5, -10, -18, -30, -40, -50],
  VU: [0, -1, -3, -5, -7, -10, -20],
  TruePeak: [3, 0, -3, -9, -18, -30, -45, -60],
  LUFS: [-5, -14, -18, -23, -32, -41, -50],
};

/** The ends of the scale of a mode, in dBFS; for loudness in LUFS. */
export function endsOf(mode: MeterMode): readonly [lowest: number, highest: number] {
  return [SCALES[mode][0]![0], SCALES[mode].at(-1)![0]];
}

/** The text of a level for screen readers: `-18 dBFS`, and `−∞ dBFS` for silence. */
export function meterText(dB: number, mode: MeterMode): string {
  const unit = mode === "LUFS" ? mode : "dBFS";
  return `${dB <= SILENT_DB ? "−∞" : Math.round(dB) + 0} ${unit}`;
}

/** The level in dBFS at and below which a signal counts as silent. */
export const SILENT_DB = -125;

/** The levels above which a signal is loud, and too loud, in dBFS; for loudness in LUFS. */
export function loudOf(mode: MeterMode): readonly [loud: number, tooLoud: number] {
  return mode === "LUFS" ? [-22, -14] : [-18, -3];
}

/** The height of a level on the scale of a mode: 0 at its bottom, 1 at its top. */
export function heightOf(dB: number, mode: MeterMode): number {
  const scale = SCALES[mode];
  const [lowest] = scale;
  if (dB < lowest![0]) return 0;
  const above = scale.findIndex((point) => dB < point[0]);
  if (above === -1) return 1;
  const [low, lowHeight] = scale[above - 1]!;
  const [high, height] = scale[above]!;
  return lowHeight + (dB - low) / (high - low) * (height - lowHeight);
}
