/**
 * The processor that renders the sound of an engine in the audio thread: a module of an
 * `AudioWorklet`.
 *
 * @module
 */
import { PROCESSOR } from "./output.ts";
import { createRenderer, type Order, type RendererOptions } from "./renderer.ts";
import { BLOCK, type Signal } from "./signal.ts";

/** A member of the `AudioWorkletGlobalScope`, for which TypeScript has no types. */
declare const currentFrame: number;
declare const sampleRate: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(
  name: string,
  processor: new (options: { readonly processorOptions: RendererOptions }) => object,
): void;

/** Blocks between two readings of the meters: 40 ms at 48 kHz. */
const METER_BLOCKS = Math.round(0.04 * sampleRate / BLOCK);

registerProcessor(
  PROCESSOR,
  class extends AudioWorkletProcessor {
    #blocks = 0;
    readonly #renderer;

    constructor({ processorOptions }: { readonly processorOptions: RendererOptions }) {
      super();
      const renderer = this.#renderer = createRenderer(processorOptions);
      this.port.onmessage = ({ data }: MessageEvent<Order>) => renderer.obey(data);
    }

    process(inputs: readonly Signal[], [output]: readonly Signal[]): boolean {
      this.#renderer.render(currentFrame, inputs, output!);
      if (++this.#blocks % METER_BLOCKS === 0) {
        const shown = this.#renderer.meters();
        if (shown !== undefined) this.port.postMessage(shown);
      }
      return true;
    }
  },
);
