/// <reference lib="dom" />
/**
 * The parts that the control tree does not describe: the source of each channel, and the signals at
 * the inputs of the routing, the flex processings and the meters. The operator of an engine may set
 * them; the others are assigned by order, the first to the first mixer.
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
    /** Plays for ever, from its beginning; of the sample rate of the context. */
    readonly buffer: AudioBuffer;
  }
  | {
    readonly kind: "node";
    /** A node that plays already, such as an input of a sound device. */
    readonly node: AudioNode;
  };

/** How an engine is wired. */
export interface Wiring {
  /** The source of each channel, by its number; a channel without one is silent. */
  readonly sources?: Readonly<Record<string, SourceKind>>;
  /** The signal that each flex processing processes; by order one of the mixers. */
  readonly processings?: Readonly<Record<string, string>>;
  /** The signal at each input of the routing; by order a flex processing, or else a mixer. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** The signal that each of `levels` and of `loudness` measures; by order one of the mixers. */
  readonly levels?: Readonly<Record<string, string>>;
  readonly loudness?: Readonly<Record<string, string>>;
  /**
   * The signals that are heard, each with the channel of the device for its left and right, from 0
   * on. By order these are the outputs of the routing; where there is none, the first mixer.
   */
  readonly outputs?: Readonly<Record<string, readonly [number, number]>>;
}
