/**
 * The sources of channels that an engine can render.
 *
 * @module
 */
import { fromDecibels } from "../meters/decibels.ts";
import type { Part } from "./place.ts";
import { BLOCK, createStereo, type Signal, sound } from "./signal.ts";

/** A source of a channel. */
export type Source =
  | {
    readonly kind: "tone";
    /** The frequency in Hz. */
    readonly frequency: number;
    /** The level of its peak in dBFS, 0 or less. */
    readonly level: number;
  }
  | {
    readonly kind: "noise";
    /** The level of its highest peaks in dBFS, 0 or less. */
    readonly level: number;
    /** The same seed makes the same noise. */
    readonly seed: number;
  }
  | {
    /** Plays in a loop, from its beginning. */
    readonly kind: "samples";
    /** The samples of each channel; all channels have the same length. */
    readonly channels: readonly Float32Array[];
  }
  | {
    /** A signal from outside, such as an input of a sound device. */
    readonly kind: "input";
    /** The number of the input. */
    readonly input: number;
  };

/** Makes a source that plays from now on; `inputs` are the signals that come in from outside. */
export function createSource(sampleRate: number, source: Source, inputs: readonly Signal[]): Part {
  switch (source.kind) {
    case "tone":
      return tone(sampleRate, source.frequency, fromDecibels(source.level));
    case "noise":
      return noise(source.seed, fromDecibels(source.level));
    case "samples":
      return looped(source.channels);
    case "input":
      return { output: inputs[source.input]! };
  }
}

/** A sine. Within a block, each sample is computed from the previous one by a rotation. */
function tone(sampleRate: number, frequency: number, amplitude: number): Part {
  const turn = 2 * Math.PI * frequency / sampleRate;
  const [turnSine, turnCosine] = [Math.sin(turn), Math.cos(turn)];
  const output = createStereo();
  const [left, right] = output;
  let phase = 0;
  return {
    output,
    run() {
      let sine = amplitude * Math.sin(phase);
      let cosine = amplitude * Math.cos(phase);
      for (let at = 0; at < BLOCK; at++) {
        left[at] = right[at] = sine;
        const next = sine * turnCosine + cosine * turnSine;
        cosine = cosine * turnCosine - sine * turnSine;
        sine = next;
      }
      phase = (phase + BLOCK * turn) % (2 * Math.PI);
    },
  };
}

function looped(channels: readonly Float32Array[]): Part {
  const output = createStereo();
  const [from] = channels;
  let at = 0;
  return {
    output,
    run() {
      if (from === undefined || from.length === 0) return;
      for (let sample = 0; sample < BLOCK; sample++) {
        output[0][sample] = sound(from[at]!);
        output[1][sample] = sound((channels[1] ?? from)[at]!);
        at = at + 1 < from.length ? at + 1 : 0;
      }
    },
  };
}

/** White noise of a seed, by the generator mulberry32. */
function noise(seed: number, amplitude: number): Part {
  const output = createStereo();
  let state = seed;
  return {
    output,
    run() {
      for (let at = 0; at < BLOCK; at++) {
        state = state + 0x6D2B79F5 | 0;
        let mixed = Math.imul(state ^ state >>> 15, 1 | state);
        mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
        output[0][at] = amplitude * (((mixed ^ mixed >>> 14) >>> 0) / 2 ** 31 - 1);
      }
      output[1].set(output[0]);
    },
  };
}
