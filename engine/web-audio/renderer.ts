/**
 * Renders the sound of a console, block by block, as orders say. It knows no sound device and no
 * Web Audio, so that it runs in an audio thread as well as in a test.
 *
 * @module
 */
import { merge, type Patch } from "../../core/tree/tree.ts";
import { createGraph, type Graph } from "./graph.ts";
import { createPlace } from "./place.ts";
import { BLOCK, createStereo, type Signal, silence, sound, type Stereo } from "./signal.ts";
import { createSource, type Source } from "./sources.ts";
import type { AudioValues } from "./tree.ts";
import type { Wires } from "./wires.ts";

/** The options of a renderer; they may be copied to another thread. */
export interface RendererOptions {
  /** The sample rate in Hz. */
  readonly sampleRate: number;
  /** The number of channels of the sound device. */
  readonly channels: number;
  /** The number of signals that come in from outside. */
  readonly inputs: number;
  /** The sources, by the numbers of the channels of the console. */
  readonly sources: Readonly<Record<string, Source>>;
}

/** An order to a renderer; it may be copied from another thread. Times are in s. */
export type Order =
  /** To play a console: `audio` of its control tree. */
  | {
    readonly audio: AudioValues;
    readonly wires: Wires;
    /** Whether it has the same resources as the console before. */
    readonly isSame: boolean;
    readonly when: number;
  }
  /** To play a change of the control tree. */
  | { readonly patch: Patch; readonly when: number };

/** Renders sound; made by {@linkcode createRenderer}. */
export interface Renderer {
  obey(order: Order): void;
  /**
   * Renders a block.
   *
   * @param frame the number of its first sample
   * @param inputs the signals from outside: for each input its channels, of which there may be none
   * @param output the signal into which the sound of each channel is written
   */
  render(frame: number, inputs: readonly Signal[], output: Signal): void;
  /** Returns the readings of the meters as a report; undefined before it plays a console. */
  meters(): Patch | undefined;
}

/** Makes a renderer, which is silent until its first order. */
export function createRenderer(options: RendererOptions): Renderer {
  const { sampleRate, channels } = options;
  const place = createPlace(sampleRate, undefined);
  const inputs = Array.from({ length: options.inputs }, createStereo);
  /** The first sample that is not rendered yet. */
  let next = 0;
  let playing: { readonly graph: Graph; tree: { readonly audio: AudioValues } } | undefined;

  function sources(channel: number) {
    const source = options.sources[channel];
    return source && createSource(sampleRate, source, inputs);
  }

  return {
    obey(order) {
      // An order may come late, and ramps cannot begin in a block that is rendered already.
      const when = Math.max(next, order.when * sampleRate);
      if ("patch" in order) {
        if (playing === undefined) return;
        playing.tree = merge(playing.tree as never, order.patch) as never;
        playing.graph.update(playing.tree.audio, when);
        return;
      }
      const { audio, wires, isSame } = order;
      if (playing !== undefined && isSame) {
        playing.tree = { audio };
        playing.graph.update(audio, when);
        return;
      }
      const graph = createGraph(sampleRate, channels, sources, wires, audio);
      playing = { graph, tree: { audio } };
      place.put(graph, when);
    },
    render(frame, outside, output) {
      for (const [index, input] of inputs.entries()) take(outside[index] ?? [], input);
      place.fill(frame, output);
      next = frame + BLOCK;
    },
    meters: () => playing?.graph.meters.read(),
  };
}

/** Takes a signal from outside; a single channel becomes both sides. */
function take([left, right = left]: Signal, into: Stereo): void {
  if (left === undefined) return silence(into);
  for (let at = 0; at < BLOCK; at++) {
    into[0][at] = sound(left[at]!);
    into[1][at] = sound(right![at]!);
  }
}
