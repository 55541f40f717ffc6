/**
 * The static curves of compressor, limiter and gate: their effect on a constant level.
 *
 * @module
 */
import type { Patch } from "../../core/tree/tree.ts";
import { rounded } from "../meters/rounded.ts";
import type { DynamicsPart, Processing } from "./parts.ts";

/** Returns the change, in dB, of a level in dB: 0 or less. */
type Curve = (level: number, block: DynamicsPart) => number;

const CURVES = {
  compressor: (level, { threshold, ratio }) => Math.min(0, (threshold - level) * (1 - 1 / ratio)),
  limiter: (level, { threshold }) => Math.min(0, threshold - level),
  gate: (level, { threshold, attenuation }) => level < threshold ? -attenuation : 0,
} satisfies Record<string, Curve>;

/** The effect of blocks on a level. */
export interface Processed {
  /** The change of the level, in dB. */
  readonly change: number;
  /**
   * Gain reduction of each block in dB, as `params` of the tree has it: at most 0, and 0 for a
   * block that is off.
   */
  readonly params: Patch;
}

/**
 * Returns the effect of blocks, one after the other, on a level in dB; bypassed blocks have none.
 * Blocks without a curve leave the level as it is.
 */
export function processed(
  { params }: Processing,
  blocks: readonly string[],
  level: number,
  passedBy = false,
): Processed {
  let change = 0;
  const reductions: Record<string, Patch> = {};
  for (const name of blocks) {
    if (!hasCurve(name)) continue;
    const block = params[name];
    const works = block.on && !passedBy;
    const reduction = works ? CURVES[name](level + change, block) : 0;
    reductions[name] = { _gainreduction: rounded(reduction) };
    change += reduction;
    // The make-up gain of a compressor compensates its reduction.
    if (works && name === "compressor") change += block.gain;
  }
  return { change, params: reductions };
}

function hasCurve(name: string): name is keyof typeof CURVES {
  return Object.hasOwn(CURVES, name);
}
