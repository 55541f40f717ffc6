/// <reference lib="dom" />
/**
 * What a channel sounds like, where it is not a microphone: the sources that an engine may be told
 * to have.
 *
 * @module
 */
import { fromDecibels } from "../meters/decibels.ts";
import type { Part } from "./place.ts";
import type { Stage } from "./stage.ts";

/** A source of a channel. */
export type SourceKind =
  | {
    readonly kind: "tone";
    /** In Hz. */
    readonly frequency: number;
    /** Of its peak, in dB below full scale. */
    readonly level: number;
  }
  | {
    readonly kind: "noise";
    /** Of its peaks, in dB below full scale. */
    readonly level: number;
    /** Noises of the same seed are the same. */
    readonly seed: number;
  }
  | {
    /** Plays for ever, from its beginning. */
    readonly kind: "buffer";
    readonly buffer: AudioBuffer;
  }
  | {
    /** Whatever plays already: an input of a sound device. */
    readonly kind: "node";
    readonly node: AudioNode;
  };

/** The length of the noise until it repeats, in s. */
const NOISE_SECONDS = 4;

/** Makes a source that plays from now on. */
export function createSource(stage: Stage, source: SourceKind): Part {
  switch (source.kind) {
    case "tone":
      return tone(stage, source.frequency, fromDecibels(source.level));
    case "noise":
      return looped(stage, noise(stage.context, source.seed, fromDecibels(source.level)));
    case "buffer":
      return looped(stage, source.buffer);
    case "node":
      return { output: source.node };
  }
}

function tone(stage: Stage, frequency: number, amplitude: number): Part {
  const oscillator = stage.context.createOscillator();
  oscillator.frequency.value = frequency;
  const output = stage.gain(amplitude);
  oscillator.connect(output);
  oscillator.start();
  return { output, dispose: () => oscillator.stop() };
}

function looped(stage: Stage, buffer: AudioBuffer): Part {
  const output = stage.context.createBufferSource();
  output.buffer = buffer;
  output.loop = true;
  output.start();
  return { output, dispose: () => output.stop() };
}

/** White noise of a seed, by the generator mulberry32. */
function noise(context: BaseAudioContext, seed: number, amplitude: number): AudioBuffer {
  const length = NOISE_SECONDS * context.sampleRate;
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  let state = seed;
  for (let at = 0; at < length; at++) {
    state = state + 0x6D2B79F5 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    samples[at] = amplitude * (((mixed ^ mixed >>> 14) >>> 0) / 2 ** 31 - 1);
  }
  return buffer;
}
