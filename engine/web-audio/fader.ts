/**
 * One fader of a mixer: from its source to the buses.
 *
 * ```
 * source - gain and phase - processing ─┬─ fader - balance - on and mute ─┬─ sum of the mixer
 *                                       └─ PFL                            └─ AFL, buses, cleanfeeds
 * ```
 *
 * @module
 */
import { balanceAt, isOpen, leaderGain, type Leaders } from "../mixing/mixer.ts";
import { createChain, type Params } from "./chain.ts";
import { fromDecibels } from "../meters/decibels.ts";
import { createSelection, type Part } from "./place.ts";
import { byLaw, createRamp, evenly, FADER_SECONDS, faderPosition, SWITCH_SECONDS } from "./ramp.ts";
import { add, BLOCK, copy, createStereo, type Signal, silence, type Stereo } from "./signal.ts";
import type { FaderValues, MixerValues } from "./tree.ts";

/** Makes a new source of a channel at each call; undefined if the channel has no source. */
export type Sources = (channel: number) => Part | undefined;

/** The buses that a fader's signal may go to. */
export interface Buses {
  readonly sum: Stereo;
  readonly pfl1: Stereo;
  readonly pfl2: Stereo;
  /** The buses that faders send to, by their numbers. */
  readonly sends: ReadonlyMap<string, Stereo>;
}

/** A fader. {@linkcode createFader} makes one. */
export interface Fader {
  /** The signal after gain and phase, before the processing. */
  readonly input: Stereo;
  /** The signal after the processing, before the fader. */
  readonly processed: Stereo;
  /** The signal after the fader and all of its switches. */
  readonly output: Stereo;
  /** Renders the block that begins at `frame`, and adds it to the buses. */
  run(frame: number): void;
  /** Applies other values of the tree from a time, in samples, on. */
  update(values: FaderValues, mixer: MixerValues, leaders: Leaders, when: number): void;
  reductions(): Readonly<Record<string, number>>;
}

const openGain = (values: FaderValues, mixer: MixerValues, leaders: Leaders) =>
  isOpen(values, mixer) ? leaderGain(values, leaders) : 0;

/** With `bypass` there is no processing. */
const orderOf = ({ bypass, _paramlist }: FaderValues) => bypass ? [] : _paramlist;

/** Returns the balance, -1..1. */
export const panOf = (params: Params) => (params.panbal?.panbal ?? 0) as number;

/** Returns the gain, as a factor, with which a fader sends to a bus. */
function sendGain({ busparams }: FaderValues, id: string): number {
  const { on, gain } = busparams.bus[id]!;
  return on ? fromDecibels(gain) : 0;
}

/**
 * Returns the gain before the processing as a factor, negative if it inverts the phase; `added` is
 * a further gain in dB.
 */
export function inputGain(params: Params, added = 0): number {
  const gain = fromDecibels((params.gain?.dgain ?? 0) as number + added);
  return params.gain?.phase === true ? -gain : gain;
}

/** The part by which a PFL bus plays a signal of the fader; undefined for no signal. */
const sent = (output: Signal | undefined) => output && { output };

/** Makes a fader as the tree has it, heard in its buses at once. */
export function createFader(
  sampleRate: number,
  sources: Sources,
  buses: Buses,
  values: FaderValues,
  mixer: MixerValues,
  leaders: Leaders,
): Fader {
  const [input, processed, output] = [createStereo(), createStereo(), createStereo()];
  const source = createSelection(sampleRate, sources, values.sourceid);
  const chain = createChain(sampleRate, input, orderOf(values), values.params);
  const [ofLeft, ofRight] = balanceAt(panOf(values.params));
  const ramps = {
    input: createRamp(evenly, inputGain(values.params, values.autolevelgain)),
    fader: createRamp(byLaw, faderPosition(values.fader)),
    left: createRamp(evenly, ofLeft),
    right: createRamp(evenly, ofRight),
    open: createRamp(evenly, openGain(values, mixer, leaders)),
  };
  const pfl1 = createSelection(sampleRate, sent, listened(values, mixer, "pfl1"));
  const pfl2 = createSelection(sampleRate, sent, listened(values, mixer, "pfl2"));
  const sends = [...buses.sends].map(([id, bus]) => {
    return { id, bus, ramp: createRamp(evenly, sendGain(values, id)) };
  });
  /** The ramps that nothing reads while the fader is silent. */
  const unread = [ramps.open, ramps.left, ramps.right, ...sends.map(({ ramp }) => ramp)];
  const fading = FADER_SECONDS * sampleRate;
  let open = isOpen(values, mixer);

  function listened(values: FaderValues, mixer: MixerValues, bus: "pfl1" | "pfl2") {
    if (!values[bus]) return undefined;
    const { afl, aflwhenon } = mixer.options[bus];
    return afl || aflwhenon && values.on ? output : processed;
  }

  /** Renders the output from the processed signal. */
  function turn(frame: number): void {
    const [fader, open] = [ramps.fader.steady(frame), ramps.open.steady(frame)];
    const [left, right] = [ramps.left.steady(frame), ramps.right.steady(frame)];
    if (
      fader !== undefined && open !== undefined && left !== undefined && right !== undefined
    ) {
      scale(processed[0], fader * open * left, output[0]);
      scale(processed[1], fader * open * right, output[1]);
      return;
    }
    copy(processed, output);
    ramps.fader.multiply(frame, output);
    ramps.open.multiply(frame, output);
    ramps.left.multiply(frame, output.slice(0, 1));
    ramps.right.multiply(frame, output.slice(1));
  }

  return {
    input,
    processed,
    output,
    run(frame) {
      source.fill(frame, input);
      ramps.input.multiply(frame, input);
      chain.fill(frame, processed);
      if (ramps.fader.steady(frame) === 0 || ramps.open.steady(frame) === 0) {
        silence(output);
        // A ramp drops what is over only when it is read.
        for (const ramp of unread) ramp.steady(frame);
      } else {
        turn(frame);
        add(output, buses.sum);
        for (const { ramp, bus } of sends) ramp.add(frame, output, bus);
      }
      pfl1.add(frame, buses.pfl1);
      pfl2.add(frame, buses.pfl2);
    },
    update(values, mixer, leaders, when) {
      source.select(values.sourceid, when);
      ramps.input.to(inputGain(values.params, values.autolevelgain), when, fading);
      chain.update(orderOf(values), values.params, when);
      ramps.fader.to(faderPosition(values.fader), when, fading);
      const wasOpen = open;
      open = isOpen(values, mixer);
      const length = open === wasOpen ? fading : SWITCH_SECONDS * sampleRate;
      ramps.open.to(openGain(values, mixer, leaders), when, length);
      const [left, right] = balanceAt(panOf(values.params));
      ramps.left.to(left, when, fading);
      ramps.right.to(right, when, fading);
      for (const { id, ramp } of sends) ramp.to(sendGain(values, id), when, fading);
      pfl1.select(listened(values, mixer, "pfl1"), when);
      pfl2.select(listened(values, mixer, "pfl2"), when);
    },
    reductions: chain.reductions,
  };
}

function scale(from: Float32Array, factor: number, into: Float32Array): void {
  for (let at = 0; at < BLOCK; at++) into[at] = from[at]! * factor;
}
