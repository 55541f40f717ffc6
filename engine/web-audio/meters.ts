/**
 * The meters of a console in the form of the control tree: they measure its signals, with the
 * ballistics of `engine/meters/`.
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
import type { Processing } from "./processing.ts";
import { BLOCK, type Stereo } from "./signal.ts";

/** The meters of a console, made by {@linkcode createMeters}. */
export interface Meters {
  /** Takes the block that was just rendered. */
  take(): void;
  /** Returns the readings. The correlation covers the time since the previous call. */
  read(): Patch;
}

/** The measured signals. */
export interface Measured {
  readonly mixers: readonly { readonly id: string; readonly mixer: Mixer }[];
  readonly processings: readonly { readonly id: string; readonly processing: Processing }[];
  readonly levels: readonly {
    readonly id: string;
    readonly mode: string;
    readonly signal: Stereo;
  }[];
  readonly loudness: readonly { readonly id: string; readonly signal: Stereo }[];
}

/** A meter of one item. */
type Meter = Meters;

/** Makes the meters of a console. */
export function createMeters(sampleRate: number, measured: Measured): Meters {
  const mixers = measured.mixers.map(({ id, mixer }) => ({
    id,
    faders: [...mixer.faders].map(([id, fader]) => ({ id, meter: faderMeter(fader, sampleRate) })),
  }));
  const levels = measured.levels.map(({ id, mode, signal }) => ({
    id,
    meter: levelMeter(signal, modeOf(mode), sampleRate),
  }));
  const loudness = measured.loudness.map(({ id, signal }) => ({
    id,
    meter: loudnessMeter(signal, sampleRate),
  }));
  const all = [...mixers.flatMap(({ faders }) => faders), ...levels, ...loudness];
  return {
    take() {
      for (const { meter } of all) meter.take();
    },
    read: () => ({
      audio: {
        mixers: byId(
          mixers,
          ({ faders }) => ({ faders: byId(faders, ({ meter }) => meter.read()) }),
        ),
        flexprocessings: byId(
          measured.processings,
          ({ processing }) => ({ params: reductionsOf(processing) }),
        ),
        levels: byId(levels, ({ meter }) => meter.read()),
        loudness: byId(loudness, ({ meter }) => meter.read()),
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

function faderMeter(fader: Fader, sampleRate: number): Meter {
  const input = stereo(fader.input, PPM, sampleRate);
  const pfl = stereo(fader.processed, PPM, sampleRate);
  const afl = stereo(fader.output, PPM, sampleRate);
  return {
    take() {
      input.take();
      pfl.take();
      afl.take();
    },
    read() {
      const meter = { _input: input.shown(), _pfl: pfl.shown(), _afl: afl.shown() };
      return { meter, params: reductionsOf(fader) };
    },
  };
}

function reductionsOf({ reductions }: Pick<Chain, "reductions">): Patch {
  const found = Object.entries(reductions())
    .map(([block, dB]) => [block, { _gainreduction: rounded(-dB) }]);
  return Object.fromEntries(found);
}

function levelMeter(signal: Stereo, mode: Mode, sampleRate: number): Meter {
  const both = stereo(signal, mode, sampleRate);
  const correlation = correlationOf(signal);
  return {
    take() {
      both.take();
      correlation.take();
    },
    read() {
      const [left, right] = both.shown();
      return { _left: left!, _right: right!, _correlation: rounded(correlation.read()) };
    },
  };
}

function loudnessMeter(signal: Stereo, sampleRate: number): Meter {
  const weightings = [createKWeighting(sampleRate), createKWeighting(sampleRate)];
  const loudness = createLoudness();
  const peaks = stereo(signal, modeOf("TruePeak"), sampleRate);
  return {
    take() {
      peaks.take();
      const power = weightings.reduce((sum, { power }, side) => sum + power(signal[side]!), 0);
      loudness.step(power, BLOCK / sampleRate, Math.max(...peaks.shown()));
    },
    read: () => loudness.values(),
  };
}

/** Makes a meter for each of the two sides; they show dBFS. */
function stereo(signal: Stereo, mode: Mode, sampleRate: number) {
  const sides = signal.map((samples) => ({
    samples,
    meter: mode.createOfSamples(sampleRate),
    shown: 0,
  }));
  return {
    take() {
      for (const side of sides) side.shown = side.meter.take(side.samples);
    },
    shown: () => sides.map(({ shown }) => rounded(shown)),
  };
}

/**
 * Measures the correlation of two sides: 1 if equal, 0 if unrelated, -1 if inverted; 0 in silence.
 */
function correlationOf([left, right]: Stereo) {
  let [both, ofLeft, ofRight] = [0, 0, 0];
  return {
    take() {
      for (let at = 0; at < BLOCK; at++) {
        const one = left[at]!;
        const other = right[at]!;
        both += one * other;
        ofLeft += one * one;
        ofRight += other * other;
      }
    },
    read() {
      const size = Math.sqrt(ofLeft * ofRight);
      const correlation = size === 0 ? 0 : both / size;
      [both, ofLeft, ofRight] = [0, 0, 0];
      return correlation;
    },
  };
}
