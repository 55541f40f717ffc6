/**
 * The parts of the control tree that the engine acts on, as the service sends them: it ensures the
 * type and the range of each value. Resources of one kind are keyed by their numbers as text,
 * because the engine names them so, and blocks of the processing are looked up by name.
 *
 * @module
 */
import type { BusSend, Cleanfeed, Fader, Level, Mixer, Port } from "../../client/control-tree.ts";
import type { Params } from "./chain.ts";

/** Members by their numbers, as text. */
export type ById<Item> = Readonly<Record<string, Item>>;

/** The values of a fader: `audio/mixers/{m}/faders/{f}`. */
export interface FaderValues extends Omit<Fader, "busparams" | "mutegroups" | "params"> {
  readonly busparams: { readonly bus: ById<BusSend> };
  readonly mutegroups: ById<boolean>;
  readonly params: Params;
}

/** The values of a mixer: `audio/mixers/{m}`. */
export interface MixerValues extends Pick<Mixer, "options"> {
  readonly faders: ById<FaderValues>;
  readonly mutegroups: ById<boolean>;
  readonly cleanfeeds: ById<Cleanfeed>;
}

/** The values of the console: `audio`. */
export interface AudioValues {
  readonly mixers: ById<MixerValues>;
  readonly flexprocessings: ById<{ readonly params: Params }>;
  readonly routing: {
    readonly inputs: ById<Port>;
    readonly outputs: ById<Port>;
    readonly routes: ById<string>;
  };
  readonly levels: ById<Level>;
  readonly loudness: ById<unknown>;
}

/** Returns the numbers of the buses of a mixer, to which each of its faders may send. */
export function busesOf({ faders }: MixerValues): readonly string[] {
  const [fader] = Object.values(faders);
  return fader === undefined ? [] : Object.keys(fader.busparams.bus);
}
