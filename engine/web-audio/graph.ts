/**
 * The signals of a console, made from its control tree: its mixers, its flex processings, its
 * routing, and the outputs to the sound device.
 *
 * @module
 */
import type { Sources } from "./fader.ts";
import { createMeters, type Meters } from "./meters.ts";
import { createMixer } from "./mixer.ts";
import { createSelection, type Part } from "./place.ts";
import { createProcessing } from "./processing.ts";
import { BLOCK, createStereo, type Signal, silence, type Stereo } from "./signal.ts";
import type { AudioValues } from "./tree.ts";
import type { Wires } from "./wires.ts";

/** The signals of a console, made by {@linkcode createGraph}. */
export interface Graph extends Part {
  /** The audible signal, with all channels of the sound device. */
  readonly output: Signal;
  run(frame: number): void;
  /**
   * Applies the values of another control tree with the same resources, from a time on.
   * Branches that it shares with the previous tree are skipped.
   */
  update(audio: AudioValues, when: number): void;
  readonly meters: Meters;
}

/** Makes the signals of a console, which plays at once. */
export function createGraph(
  sampleRate: number,
  channels: number,
  sources: Sources,
  wires: Wires,
  first: AudioValues,
): Graph {
  let before = first;
  const signals = new Map<string, Stereo>();
  const signal = (name: string | undefined) =>
    (name === undefined ? undefined : signals.get(name)) ?? createStereo();

  const mixers = Object.entries(first.mixers).map(([id, values]) => {
    const mixer = createMixer(sampleRate, sources, values);
    signals.set(`mixer/${id}`, mixer.sum);
    signals.set(`pfl1/${id}`, mixer.pfl1);
    signals.set(`pfl2/${id}`, mixer.pfl2);
    for (const [bus, sum] of mixer.sends) signals.set(`bus/${id}/${bus}`, sum);
    for (const [feed, { output }] of mixer.cleanfeeds) {
      signals.set(`cleanfeed/${id}/${feed}`, output);
    }
    return { id, mixer };
  });
  const processings = Object.entries(first.flexprocessings).map(([id, { params }]) => {
    const processing = createProcessing(sampleRate, signal(wires.processings[id]), params);
    signals.set(`processing/${id}`, processing.output);
    return { id, processing };
  });
  const inputs = new Map(
    Object.keys(first.routing.inputs).map((id) => [id, { output: signal(wires.inputs[id]) }]),
  );
  const routes = Object.keys(first.routing.outputs).map((id) => {
    const output = createStereo();
    signals.set(`output/${id}`, output);
    const selection = createSelection(
      sampleRate,
      (input: string) => inputs.get(input),
      first.routing.routes[id]!,
    );
    return { id, output, selection };
  });
  // Two equal sides on one channel would be 6 dB louder than each of them, and clip.
  const heard = wires.heard.map(([name, sides]) => ({
    from: signal(name),
    sides,
    gain: sides[0] === sides[1] ? 0.5 : 1,
  }));
  const output = Array.from({ length: channels }, () => new Float32Array(BLOCK));
  const meters = createMeters(sampleRate, {
    mixers,
    processings,
    levels: Object.entries(first.levels).map(([id, { _mode: mode }]) => {
      return { id, mode, signal: signal(wires.levels[id]) };
    }),
    loudness: Object.keys(first.loudness).map((id) => {
      return { id, signal: signal(wires.loudness[id]) };
    }),
  });

  return {
    output,
    meters,
    run(frame) {
      for (const { mixer } of mixers) mixer.run(frame);
      for (const { processing } of processings) processing.run(frame);
      for (const { output, selection } of routes) selection.fill(frame, output);
      silence(output);
      for (const { from, sides, gain } of heard) {
        for (const [side, channel] of sides.entries()) {
          for (let at = 0; at < BLOCK; at++) {
            output[channel]![at]! += gain * from[side as 0 | 1][at]!;
          }
        }
      }
      meters.take();
    },
    update(now, when) {
      for (const { id, mixer } of mixers) {
        if (now.mixers[id] !== before.mixers[id]) mixer.update(now.mixers[id]!, when);
      }
      for (const { id, processing } of processings) {
        const { params } = now.flexprocessings[id]!;
        if (params !== before.flexprocessings[id]!.params) {
          processing.update(params, when);
        }
      }
      for (const { id, selection } of routes) selection.select(now.routing.routes[id]!, when);
      before = now;
    },
  };
}
