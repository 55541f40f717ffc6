/**
 * The parts of the control tree that a simulated engine acts on (control-tree.md).
 *
 * @module
 */
import type { Branch } from "../../core/tree/tree.ts";
import type { FaderRules, MixerRules } from "../mixing/mixer.ts";

/** What an engine acts on below `audio`. */
export interface AudioPart {
  readonly mixers: Numbered<MixerPart>;
  readonly flexprocessings: Numbered<Processing>;
  readonly levels: Numbered<{ readonly _mode: string }>;
  readonly loudness: Numbered<Branch>;
}

/** Parts by their numbers. */
export type Numbered<Part> = Readonly<Record<string, Part>>;

/** A mixer, as far as a level passes it. */
export interface MixerPart extends MixerRules {
  readonly faders: Numbered<FaderPart>;
}

/** A fader, as far as a level passes it. */
export interface FaderPart extends Processing, FaderRules {
  readonly sourceid: number;
  readonly altinput: boolean;
  readonly bypass: boolean;
  readonly _paramlist: readonly string[];
}

/** Whatever processes a signal: a fader, a flex processing. */
export interface Processing {
  readonly params: {
    readonly gain: { readonly dgain: number; readonly again: { readonly value: number } };
    readonly panbal: { readonly panbal: number };
    readonly compressor: DynamicsPart;
    readonly limiter: DynamicsPart;
    readonly gate: DynamicsPart;
  };
}

/** A block that changes a level by itself; those that lack a member do without. */
export interface DynamicsPart {
  readonly on: boolean;
  readonly threshold: number;
  readonly ratio: number;
  readonly gain: number;
  readonly attenuation: number;
  readonly _gainreduction: number;
}

/** Answers `audio` of a control tree. */
export function audioOf(tree: Branch): AudioPart {
  return tree.audio as unknown as AudioPart;
}
