/// <reference lib="dom" />
/**
 * The sound of an engine in Web Audio: one node renders all of it, in the audio thread.
 *
 * @module
 */
import { isBranch, type Leaf, type Patch } from "../../core/tree/tree.ts";
import { toDecibels } from "../meters/decibels.ts";
import type { Output } from "./engine.ts";
import type { RendererOptions } from "./renderer.ts";
import type { Source } from "./sources.ts";
import type { Wiring } from "./wiring.ts";

/** Name of the processor that `worklet.ts` registers. */
export const PROCESSOR = "faderd";

/** The time in ms without a reading of the meters after which the sound device has stopped. */
const STOPPED_MS = 1000;

/** The parts that the program or the page provides. */
export interface Worklet {
  /** The URL of `worklet.ts`, or of a bundle of it. */
  readonly module: string;
  /** The class of the node; outside a browser it comes from a package. */
  readonly AudioWorkletNode: typeof AudioWorkletNode;
}

/**
 * Makes the node that renders the sound, and connects it to all channels of the destination of a
 * context.
 *
 * @param now monotonic time, in ms
 * @throws {RangeError} if a buffer of the wiring has another sample rate than the context
 */
export async function openOutput(
  context: BaseAudioContext,
  wiring: Wiring,
  { module, AudioWorkletNode }: Worklet,
  now = () => performance.now(),
): Promise<Output> {
  await context.audioWorklet.addModule(module);
  const { sampleRate, destination: { channelCount: channels } } = context;
  const { sources, nodes } = sourcesOf(wiring, sampleRate);
  const options: RendererOptions = { sampleRate, channels, inputs: nodes.length, sources };
  const node = new AudioWorkletNode(context, PROCESSOR, {
    numberOfInputs: Math.max(1, nodes.length),
    outputChannelCount: [channels],
    processorOptions: options,
  });
  for (const [input, one] of nodes.entries()) one.connect(node, 0, input);
  node.connect(context.destination);
  let shown: Patch | undefined;
  let shownAt = 0;
  node.port.onmessage = ({ data }) => {
    shown = data;
    shownAt = now();
  };
  // A renderer that has failed is silent from then on, while the time of the context goes on.
  let failedAt: number | undefined;
  node.onprocessorerror = () => failedAt ??= context.currentTime;
  return {
    channels,
    get currentTime() {
      return failedAt ?? context.currentTime;
    },
    obey: (order) => node.port.postMessage(order),
    meters() {
      const isSilent = failedAt !== undefined || now() - shownAt > STOPPED_MS;
      return shown && isSilent ? silenced(shown) : shown;
    },
  };
}

/** Returns the same meters with all levels at -125 and the others at 0, as without an engine. */
function silenced(readings: Patch): Patch {
  const silent = Object.entries(readings).map(([member, reading]): [string, Leaf | Patch] => {
    if (isBranch(reading)) return [member, silenced(reading as Patch)];
    if (Array.isArray(reading)) return [member, reading.map(() => toDecibels(0))];
    const isLevel = member !== "_correlation" && member !== "_gainreduction";
    return [member, isLevel ? toDecibels(0) : 0];
  });
  return Object.fromEntries(silent);
}

/** Returns the sources of a wiring in the form that a renderer needs, and its input nodes. */
function sourcesOf({ sources = {} }: Wiring, sampleRate: number) {
  const nodes: AudioNode[] = [];
  const rendered = Object.entries(sources).map(([channel, source]): [string, Source] => {
    if (source.kind === "buffer") {
      const { buffer } = source;
      if (buffer.sampleRate !== sampleRate) {
        throw new RangeError(
          `the buffer of channel ${channel} has ${buffer.sampleRate} Hz, expected ${sampleRate}`,
        );
      }
      const channels = Array.from(
        { length: buffer.numberOfChannels },
        (_, index) => buffer.getChannelData(index),
      );
      return [channel, { kind: "samples", channels }];
    }
    if (source.kind === "node") {
      if (!nodes.includes(source.node)) nodes.push(source.node);
      return [channel, { kind: "input", input: nodes.indexOf(source.node) }];
    }
    return [channel, source];
  });
  return { sources: Object.fromEntries(rendered), nodes };
}
