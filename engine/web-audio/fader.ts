/// <reference lib="dom" />
/**
 * One fader of a mixer: from its source to the bus.
 *
 * ```
 * source - gain and phase - processing ─┬─ fader - balance - on and mute ─┬─ sum of the mixer
 *                                       └─ PFL                            └─ AFL, cleanfeeds
 * ```
 *
 * @module
 */
import { isOpen, leaderGain, type Leaders } from "../mixing/mixer.ts";
import { createBalance } from "./balance.ts";
import { createChain } from "./chain.ts";
import { fromDecibels } from "../meters/decibels.ts";
import { createSelection, type Part } from "./place.ts";
import { byLaw, createRamp, evenly, faderPosition } from "./ramp.ts";
import { FADER_SECONDS, type Stage, SWITCH_SECONDS } from "./stage.ts";
import { createTap, type Samples, type Tap } from "./tap.ts";
import type { FaderValues, MixerValues } from "./tree.ts";

/** Makes the signal of a channel, new each time; undefined where the channel has none. */
export type Sources = (channel: number) => Part | undefined;

/** Where a fader's signal may go. */
export interface Buses {
  readonly sum: AudioNode;
  readonly pfl1: AudioNode;
  readonly pfl2: AudioNode;
}

/** The signal at the metering places of a fader since the previous reading. */
export interface FaderSamples {
  /** After gain and phase, before the processing. */
  readonly input: Samples;
  /** After the processing, before the fader. */
  readonly pfl: Samples;
  /** After the fader and all that switches it. */
  readonly afl: Samples;
}

/** A fader of the graph. {@linkcode createFader} makes one. */
export interface Fader {
  /** The signal after the fader. */
  readonly output: AudioNode;
  /** Goes to what the tree says from a time on. */
  update(values: FaderValues, mixer: MixerValues, leaders: Leaders, when: number): void;
  samples(): FaderSamples;
  reductions(): Readonly<Record<string, number>>;
}

const openGain = (values: FaderValues, mixer: MixerValues, leaders: Leaders) =>
  isOpen(values, mixer) ? leaderGain(values, leaders) : 0;

/** `bypass` takes all processing away. */
const orderOf = ({ bypass, _paramlist }: FaderValues) => bypass ? [] : _paramlist;

function inputGain({ params }: FaderValues): number {
  const gain = fromDecibels((params.gain?.dgain ?? 0) as number);
  return params.gain?.phase === true ? -gain : gain;
}

/** Makes a fader as the tree has it, heard in its buses at once. */
export function createFader(
  stage: Stage,
  sources: Sources,
  buses: Buses,
  values: FaderValues,
  mixer: MixerValues,
  leaders: Leaders,
): Fader {
  const input = stage.context.createGain();
  const processed = stage.gain(1);
  const fader = stage.context.createGain();
  const output = stage.context.createGain();
  const toSource = createSelection(stage, input, sources, values.sourceid);
  const chain = createChain(stage, input, processed, orderOf(values), values.params);
  processed.connect(fader);
  const balance = createBalance(stage, fader, output, panOf(values));
  output.connect(buses.sum);
  const ramps = {
    input: createRamp(input.gain, evenly, inputGain(values)),
    fader: createRamp(fader.gain, byLaw, faderPosition(values.fader)),
    open: createRamp(output.gain, evenly, openGain(values, mixer, leaders)),
  };
  const sends = {
    pfl1: createSelection(stage, buses.pfl1, sent, listened(values, mixer, "pfl1")),
    pfl2: createSelection(stage, buses.pfl2, sent, listened(values, mixer, "pfl2")),
  };
  const tap = createTap(stage.context, processed);
  let inputTap: Tap | undefined;
  let open = isOpen(values, mixer);
  let lastGains = gainsAt(0);

  /** The way of a signal after the processing, left and right. */
  function gainsAt(when: number): readonly number[] {
    const both = byLaw.value(ramps.fader.positionAt(when)) * ramps.open.positionAt(when);
    return balance.gainsAt(when).map((side) => side * both);
  }

  function listened(values: FaderValues, mixer: MixerValues, bus: "pfl1" | "pfl2") {
    if (!values[bus]) return undefined;
    const { afl, aflwhenon } = mixer.options[bus];
    return afl || aflwhenon && values.on ? output : processed;
  }

  return {
    output,
    update(values, mixer, leaders, when) {
      toSource(values.sourceid, when);
      ramps.input.to(inputGain(values), when, FADER_SECONDS);
      chain.update(orderOf(values), values.params, when);
      ramps.fader.to(faderPosition(values.fader), when, FADER_SECONDS);
      const wasOpen = open;
      open = isOpen(values, mixer);
      const seconds = open === wasOpen ? FADER_SECONDS : SWITCH_SECONDS;
      ramps.open.to(openGain(values, mixer, leaders), when, seconds);
      balance.to(panOf(values), when);
      sends.pfl1(listened(values, mixer, "pfl1"), when);
      sends.pfl2(listened(values, mixer, "pfl2"), when);
    },
    samples() {
      const pfl = tap.read();
      // Without blocks, both hear the same.
      if (chain.active) inputTap ??= createTap(stage.context, input);
      const passed = chain.active ? inputTap!.read() : pfl;
      // The gain of the fader is known, so that a third tap is not needed.
      const gains = gainsAt(stage.context.currentTime);
      const afl = pfl.map((side, index) => turned(side, lastGains[index]!, gains[index]!));
      lastGains = gains;
      return { input: passed, pfl, afl };
    },
    reductions: chain.reductions,
  };
}

/** The signal that a send takes to its bus; a closed send is not in the graph. */
const sent = (node: AudioNode | undefined) => node && { output: node };

const panOf = ({ params }: FaderValues) => (params.panbal?.panbal ?? 0) as number;

/** Answers samples that pass a gain which moves evenly. */
function turned(samples: Float32Array, from: number, to: number): Float32Array {
  const step = (to - from) / samples.length;
  return samples.map((sample, index) => sample * (from + step * index));
}
