/**
 * What dynamics make of a level that stays: from dB at the input to dB at the output.
 *
 * @module
 */

/** The blocks that have such a curve. */
export type Kind = "compressor" | "expander" | "limiter" | "gate";

/** What a block is set to, as far as it has it; all but the ratio in dB. */
export interface Transfer {
  readonly kind: Kind;
  readonly threshold: number;
  readonly ratio: number;
  readonly gain: number;
  readonly attenuation: number;
}

/** The ratio with which a gate closes, as that of the engine in Web Audio. */
const GATE_RATIO = 40;

/** The handle of an expander's ratio lies where this is left of the level, in dB below the threshold. */
const EXPANDED_DB = 20;

/** The handle of a compressor's ratio lies at least this far above the threshold, in dB. */
const LEAST_LEG_DB = 10;

/** The handle of a gate's attenuation lies this far below the threshold, in dB. */
const CLOSED_DB = 10;

/** Answers whether a block has a curve. */
export function hasTransfer(name: string): name is Kind {
  return ["compressor", "expander", "limiter", "gate"].includes(name);
}

/** The level at the output, in dB, for one at the input. */
export function outputOf(transfer: Transfer, input: number): number {
  const { kind, threshold, ratio, gain, attenuation } = transfer;
  const over = Math.max(0, input - threshold);
  const under = Math.max(0, threshold - input);
  switch (kind) {
    case "compressor":
      return input - over * (1 - 1 / ratio) + gain;
    case "limiter":
      return input - over;
    case "expander":
      return input - under * (ratio - 1) + gain;
    case "gate":
      return input - Math.min(attenuation, under * (GATE_RATIO - 1));
  }
}

/** A place on the curve: where a handle lies, in dB. */
export interface PlaceOnCurve {
  readonly input: number;
  readonly output: number;
}

/** Where the handle of the threshold lies: at the bend. */
export function thresholdPlace(transfer: Transfer): PlaceOnCurve {
  const input = transfer.threshold;
  return { input, output: outputOf(transfer, input) };
}

/**
 * Where the handle of the ratio lies: of a compressor at the input `above`, in dB, and of an expander
 * on the way down.
 */
export function ratioPlace(transfer: Transfer, above: number): PlaceOnCurve {
  const { kind, threshold, ratio } = transfer;
  const input = kind === "compressor"
    ? threshold + legOf(transfer, above)
    : threshold - EXPANDED_DB / ratio;
  return { input, output: outputOf(transfer, input) };
}

/**
 * The ratio whose handle lies at the output, of a compressor, or at the input, of an expander, both
 * in dB; infinite where no ratio brings it there.
 */
export function ratioAt(transfer: Transfer, dB: number, above: number): number {
  const { kind, threshold, gain } = transfer;
  const [whole, left] = kind === "compressor"
    ? [legOf(transfer, above), dB - threshold - gain]
    : [EXPANDED_DB, threshold - dB];
  return left <= 0 ? Infinity : Math.max(1, whole / left);
}

function legOf({ threshold }: Transfer, above: number): number {
  return Math.max(LEAST_LEG_DB, above - threshold);
}

/** Where the handle of the gain lies: in the middle of what is neither compressed nor expanded. */
export function gainPlace(transfer: Transfer, lowest: number, highest: number): PlaceOnCurve {
  const { kind, threshold } = transfer;
  const input = ((kind === "compressor" ? lowest : highest) + threshold) / 2;
  return { input, output: outputOf(transfer, input) };
}

/** Where the handle of the attenuation lies: below the threshold. */
export function attenuationPlace(transfer: Transfer): PlaceOnCurve {
  const input = transfer.threshold - CLOSED_DB;
  return { input, output: outputOf(transfer, input) };
}
