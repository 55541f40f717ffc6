/// <reference lib="dom" />
/**
 * The sound of an engine in Web Audio: one node renders all of it, in the audio thread.
 *
 * @module
 */
import type { Patch } from "../../core/tree/tree.ts";
import type { Output } from "./engine.ts";
import type { RendererOptions } from "./renderer.ts";
import type { Source } from "./sources.ts";
import type { Wiring } from "./wiring.ts";

/** Name of the processor that `worklet.ts` registers. */
export const PROCESSOR = "faderd";

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
 * @throws {RangeError} if a buffer of the wiring has another sample rate than the context
 */
export async function openOutput(
  context: BaseAudioContext,
  wiring: Wiring,
  { module, AudioWorkletNode }: Worklet,
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
  node.port.onmessage = ({ data }) => shown = data;
  // A renderer that has failed is silent from then on, while the time of the context goes on.
  let failedAt: number | undefined;
  node.onprocessorerror = () => failedAt ??= context.currentTime;
  return {
    channels,
    get currentTime() {
      return failedAt ?? context.currentTime;
    },
    obey: (order) => node.port.postMessage(order),
    meters: () => shown,
  };
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
