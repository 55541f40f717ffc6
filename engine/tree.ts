/**
 * The parts of the control tree that the engine acts on, as the service sends them: it holds each
 * value to its type and range.
 *
 * @module
 */
import type { Params } from "./chain.ts";

/** Members by their numbers, as text. */
export type ById<Item> = Readonly<Record<string, Item>>;

/** `audio/mixers/{m}/faders/{f}` */
export interface FaderValues {
  /** In dB, -160..10; -160 is silence. */
  readonly fader: number;
  readonly on: boolean;
  readonly pfl1: boolean;
  readonly pfl2: boolean;
  readonly bypass: boolean;
  readonly sourceid: number;
  readonly vcagroup: number;
  readonly _paramlist: readonly string[];
  readonly _usecleanfeed: number;
  readonly mutegroups: ById<boolean>;
  readonly params: Params;
}

/** `audio/mixers/{m}/options/pfl1`, `pfl2` */
export interface PflOptions {
  readonly afl: boolean;
  readonly aflwhenon: boolean;
}

/** `audio/mixers/{m}/cleanfeeds/{id}` */
export interface CleanfeedValues {
  readonly cut: boolean;
  readonly n: boolean;
  readonly outgain: number;
  readonly srcsel: number;
}

/** `audio/mixers/{m}` */
export interface MixerValues {
  readonly faders: ById<FaderValues>;
  readonly mutegroups: ById<boolean>;
  readonly cleanfeeds: ById<CleanfeedValues>;
  readonly options: { readonly pfl1: PflOptions; readonly pfl2: PflOptions };
}

/** `audio` */
export interface AudioValues {
  readonly mixers: ById<MixerValues>;
  readonly flexprocessings: ById<{ readonly params: Params }>;
  readonly routing: {
    readonly inputs: ById<unknown>;
    readonly outputs: ById<unknown>;
    readonly routes: ById<string>;
  };
  readonly levels: ById<{ readonly _mode: string }>;
  readonly loudness: ById<unknown>;
}
