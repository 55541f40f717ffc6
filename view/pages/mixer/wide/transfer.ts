/**
 * The static curves of dynamics: from a constant input level to the output level, in dB.
 *
 * @module
 */

/** The blocks that have such a curve. */
export type Kind = "compressor" | "expander" | "limiter" | "gate";

/** The settings of a block, all but the ratio in dB; those that it does not have are not used. */
export interface Transfer {
  readonly kind: Kind;
  readonly threshold: number;
  readonly ratio: number;
  readonly gain: number;
  readonly attenuation: number;
}

/** The ratio with which a gate closes, the same as in the engine in Web Audio. */
const GATE_RATIO = 40;

/** The output level in dB below the threshold at which the handle of an expander's ratio lies. */
const EXPANDED_DB = 20;

/** Minimum distance in dB of the handle of a compressor's ratio above the threshold. */
const LEAST_LEG_DB = 10;

/** Distance in dB of the handle of a gate's attenuation below the threshold. */
const CLOSED_DB = 10;

/** Says whether a block has a curve. */
export function hasTransfer(name: string): name is Kind {
  return ["compressor", "expander", "limiter", "gate"].includes(name);
}

/** The output level, in dB, for an input level. */
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

/** A place on the curve at which a handle lies, in dB. */
export interface PlaceOnCurve {
  readonly input: number;
  readonly output: number;
}

/** The place of the handle of the threshold: at the bend. */
export function thresholdPlace(transfer: Transfer): PlaceOnCurve {
  const input = transfer.threshold;
  return { input, output: outputOf(transfer, input) };
}

/**
 * The place of the handle of the ratio: for a compressor at the input level `above`, in dB, but at
 * least 10 dB above the threshold; for an expander on the way down.
 */
export function ratioPlace(transfer: Transfer, above: number): PlaceOnCurve {
  const { kind, threshold, ratio } = transfer;
  const input = kind === "compressor"
    ? threshold + legOf(transfer, above)
    : threshold - EXPANDED_DB / ratio;
  return { input, output: outputOf(transfer, input) };
}

/**
 * The ratio whose handle lies at a level in dB: at the output level for a compressor, at the input
 * level for an expander; infinite if no ratio brings it there.
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

/**
 * The place of the handle of the gain: in the middle of the levels that are neither compressed nor
 * expanded.
 */
export function gainPlace(transfer: Transfer, lowest: number, highest: number): PlaceOnCurve {
  const { kind, threshold } = transfer;
  const input = ((kind === "compressor" ? lowest : highest) + threshold) / 2;
  return { input, output: outputOf(transfer, input) };
}

/** The place of the handle of the attenuation: below the threshold. */
export function attenuationPlace(transfer: Transfer): PlaceOnCurve {
  const input = transfer.threshold - CLOSED_DB;
  return { input, output: outputOf(transfer, input) };
}
