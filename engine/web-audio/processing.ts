/**
 * A flex processing: it processes a signal like a fader does.
 *
 * ```
 * signal - gain and phase - processing - balance - output
 * ```
 *
 * @module
 */
import { balanceAt } from "../mixing/mixer.ts";
import { type Chain, createChain, type Params } from "./chain.ts";
import { inputGain, panOf } from "./fader.ts";
import { createRamp, evenly, FADER_SECONDS } from "./ramp.ts";
import { copy, createStereo, type Stereo } from "./signal.ts";

/** A flex processing. {@linkcode createProcessing} makes one. */
export interface Processing extends Pick<Chain, "reductions"> {
  readonly output: Stereo;
  /** Renders the block that begins at `frame`. */
  run(frame: number): void;
  /** Applies other values of the tree from a time, in samples, on. */
  update(params: Params, when: number): void;
}

/** Makes a flex processing as the tree has it; `from` is the signal that it processes. */
export function createProcessing(sampleRate: number, from: Stereo, params: Params): Processing {
  const [input, output] = [createStereo(), createStereo()];
  const chain = createChain(sampleRate, input, Object.keys(params), params);
  const gain = createRamp(evenly, inputGain(params));
  const balance = balanceAt(panOf(params))
    .map((factor, side) => ({
      ramp: createRamp(evenly, factor),
      samples: [output[side as 0 | 1]],
    }));
  const fading = FADER_SECONDS * sampleRate;
  return {
    output,
    reductions: chain.reductions,
    run(frame) {
      copy(from, input);
      gain.multiply(frame, input);
      chain.fill(frame, output);
      for (const { ramp, samples } of balance) ramp.multiply(frame, samples);
    },
    update(params, when) {
      gain.to(inputGain(params), when, fading);
      chain.update(Object.keys(params), params, when);
      for (const [side, factor] of balanceAt(panOf(params)).entries()) {
        balance[side]!.ramp.to(factor, when, fading);
      }
    },
  };
}
