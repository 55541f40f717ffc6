/// <reference lib="dom" />
/**
 * The meters of a graph in the form of the control tree: they measure the signals at its taps, with
 * the ballistics of `engine/meters/`.
 *
 * @module
 */
import type { Patch } from "../../core/tree/tree.ts";
import { createKWeighting } from "../meters/k-weighting.ts";
import { createLoudness } from "../meters/loudness.ts";
import { type Mode, modeOf, PPM } from "../meters/modes.ts";
import { rounded } from "../meters/rounded.ts";
import type { Chain } from "./chain.ts";
import type { Fader } from "./fader.ts";
import type { Mixer } from "./mixer.ts";
import { createTap, type Samples } from "./tap.ts";

/** The meters of a graph, made by {@linkcode createMeters}. */
export interface Meters {
  /**
   * Returns the readings, which include all samples since the previous call. It has to be called at
   * least every 85 ms, because older samples are lost.
   */
  read(): Patch;
}

/** The measured signals. */
export interface Measured {
  readonly mixers: readonly { readonly id: string; readonly mixer: Mixer }[];
  readonly processings: readonly { readonly id: string; readonly chain: Chain }[];
  readonly levels: readonly {
    readonly id: string;
    readonly mode: string;
    readonly node: AudioNode;
  }[];
  readonly loudness: readonly { readonly id: string; readonly node: AudioNode }[];
}

/** Makes the meters of a graph. */
export function createMeters(context: BaseAudioContext, measured: Measured): Meters {
  const { sampleRate } = context;
  const mixers = measured.mixers.map(({ id, mixer }) => ({
    id,
    faders: [...mixer.faders].map(([id, fader]) => ({ id, read: faderMeter(fader, sampleRate) })),
  }));
  const levels = measured.levels.map(({ id, mode, node }) => ({
    id,
    read: levelMeter(context, node, modeOf(mode)),
  }));
  const loudness = measured.loudness.map(({ id, node }) => ({
    id,
    read: loudnessMeter(context, node),
  }));
  return {
    read: () => ({
      audio: {
        mixers: byId(mixers, ({ faders }) => ({ faders: byId(faders, ({ read }) => read()) })),
        flexprocessings: byId(
          measured.processings,
          ({ chain }) => ({ params: reductionsOf(chain) }),
        ),
        levels: byId(levels, ({ read }) => read()),
        loudness: byId(loudness, ({ read }) => read()),
      },
    }),
  };
}

function byId<Item extends { readonly id: string }>(
  items: readonly Item[],
  read: (item: Item) => Patch,
): Patch {
  return Object.fromEntries(items.map((item) => [item.id, read(item)]));
}

function faderMeter(fader: Fader, sampleRate: number): () => Patch {
  const [input, pfl, afl] = [0, 0, 0].map(() => stereo(PPM, sampleRate)) as [
    Stereo,
    Stereo,
    Stereo,
  ];
  return () => {
    const samples = fader.samples();
    const meter = {
      _input: input(samples.input),
      _pfl: pfl(samples.pfl),
      _afl: afl(samples.afl),
    };
    return { meter, params: reductionsOf(fader) };
  };
}

function reductionsOf({ reductions }: Pick<Chain, "reductions">): Patch {
  const found = Object.entries(reductions())
    .map(([block, dB]) => [block, { _gainreduction: rounded(-dB) }]);
  return Object.fromEntries(found);
}

function levelMeter(context: BaseAudioContext, node: AudioNode, mode: Mode): () => Patch {
  const tap = createTap(context, node);
  const both = stereo(mode, context.sampleRate);
  return () => {
    const samples = tap.read();
    const [left, right] = both(samples);
    return { _left: left!, _right: right!, _correlation: rounded(correlationOf(samples)) };
  };
}

function loudnessMeter(context: BaseAudioContext, node: AudioNode): () => Patch {
  const tap = createTap(context, node);
  const { sampleRate } = context;
  const weightings = [createKWeighting(sampleRate), createKWeighting(sampleRate)];
  const loudness = createLoudness();
  const peaks = stereo(modeOf("TruePeak"), sampleRate);
  return () => {
    const samples = tap.read();
    const power = weightings.reduce((sum, { power }, side) => sum + power(samples[side]!), 0);
    loudness.step(power, samples[0]!.length / sampleRate, Math.max(...peaks(samples)));
    return loudness.values();
  };
}

/** Returns the readings of both sides in dB. */
type Stereo = (samples: Samples) => number[];

function stereo(mode: Mode, sampleRate: number): Stereo {
  const sides = [mode.createOfSamples(sampleRate), mode.createOfSamples(sampleRate)];
  return (samples) => sides.map((side, index) => rounded(side.take(samples[index]!)));
}

/**
 * Returns the correlation of two sides: 1 if equal, 0 if unrelated, -1 if inverted; 0 in silence.
 */
function correlationOf([left, right]: Samples): number {
  let both = 0;
  let ofLeft = 0;
  let ofRight = 0;
  for (const [index, one] of left!.entries()) {
    const other = right![index]!;
    both += one * other;
    ofLeft += one * one;
    ofRight += other * other;
  }
  const size = Math.sqrt(ofLeft * ofRight);
  return size === 0 ? 0 : both / size;
}
