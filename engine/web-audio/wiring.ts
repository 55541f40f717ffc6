/// <reference lib="dom" />
/**
 * The parts that the control tree does not describe: the source of each channel, and the signals at
 * the inputs of the routing, the flex processings and the meters. The operator of an engine may set
 * any of them; the rest have defaults.
 *
 * A signal of the graph is named by its kind and its number: `mixer/0`, `pfl1/0`, `pfl2/0`,
 * `bus/0/1` and `cleanfeed/0/1` (of mixer 0), `processing/0`, `output/1` (of the routing).
 *
 * @module
 */
import type { Source } from "./sources.ts";

/** A source of a channel. */
export type SourceKind =
  | Extract<Source, { readonly kind: "tone" | "noise" }>
  | {
    readonly kind: "buffer";
    /** Plays in a loop, from its beginning; it has the sample rate of the context. */
    readonly buffer: AudioBuffer;
  }
  | {
    readonly kind: "node";
    /** A node that plays already, such as an input of a sound device. */
    readonly node: AudioNode;
  };

/** The wiring of an engine. */
export interface Wiring {
  /** The source of each channel, by its number; a channel without one is silent. */
  readonly sources?: Readonly<Record<string, SourceKind>>;
  /** The signal that each flex processing processes; by default the mixers in turn. */
  readonly processings?: Readonly<Record<string, string>>;
  /**
   * The signal at each input of the routing; by default the flex processings in turn, or the mixers
   * if there are none.
   */
  readonly inputs?: Readonly<Record<string, string>>;
  /** The signal that each of `levels` and of `loudness` measures; by default the mixers in turn. */
  readonly levels?: Readonly<Record<string, string>>;
  readonly loudness?: Readonly<Record<string, string>>;
  /**
   * The signals that are heard, each with the channels of the device, from 0 on, for its two sides.
   * A channel that has both sides plays their mean. By default the outputs of the routing, each on
   * the next two channels; without outputs, the first mixer. A device with one channel plays the
   * first of these signals.
   */
  readonly outputs?: Readonly<Record<string, readonly [number, number]>>;
}
