/**
 * The parts of the control tree that a simulated engine acts on (control-tree.md).
 *
 * @module
 */
import type { Branch } from "../../core/tree/tree.ts";
import type { FaderRules, MixerRules } from "../mixing/mixer.ts";

/** The part of `audio` that an engine uses. */
export interface AudioPart {
  readonly mixers: Numbered<MixerPart>;
  readonly flexprocessings: Numbered<Processing>;
  readonly levels: Numbered<{ readonly _mode: string }>;
  readonly loudness: Numbered<Branch>;
}

/** Parts by their numbers. */
export type Numbered<Part> = Readonly<Record<string, Part>>;

/** The members of a mixer that affect a level. */
export interface MixerPart extends MixerRules {
  readonly faders: Numbered<FaderPart>;
}

/** The members of a fader that affect a level. */
export interface FaderPart extends Processing, FaderRules {
  readonly sourceid: number;
  readonly altinput: boolean;
  readonly bypass: boolean;
  readonly _paramlist: readonly string[];
}

/** A processing of a signal: a fader or a flex processing. */
export interface Processing {
  readonly params: {
    readonly gain: { readonly dgain: number; readonly again: { readonly value: number } };
    readonly panbal: { readonly panbal: number };
    readonly compressor: DynamicsPart;
    readonly limiter: DynamicsPart;
    readonly gate: DynamicsPart;
  };
}

/** A block that changes the level of a signal; not every block has all members. */
export interface DynamicsPart {
  readonly on: boolean;
  readonly threshold: number;
  readonly ratio: number;
  readonly gain: number;
  readonly attenuation: number;
  readonly _gainreduction: number;
}

/** Returns `audio` of a control tree. */
export function audioOf(tree: Branch): AudioPart {
  return tree.audio as unknown as AudioPart;
}
