/**
 * A signal: the samples of one block of time, for each channel. All parts of the engine render
 * block by block.
 *
 * @module
 */

/** Samples of a block: those of a render quantum of Web Audio. */
export const BLOCK = 128;

/** The samples of a block for each channel; almost everywhere left and right. */
export type Signal = readonly Float32Array[];

/** A signal of two sides. */
export type Stereo = readonly [Float32Array, Float32Array];

/** Makes a silent signal of two sides. */
export function createStereo(): Stereo {
  return [new Float32Array(BLOCK), new Float32Array(BLOCK)];
}

/** Makes a signal silent. */
export function silence(signal: Signal): void {
  for (const channel of signal) channel.fill(0);
}

/** Copies a signal into another one. */
export function copy(from: Signal, into: Signal): void {
  for (let channel = 0; channel < into.length; channel++) into[channel]!.set(from[channel]!);
}

/** Adds a signal to another one. */
export function add(from: Signal, into: Signal): void {
  for (let channel = 0; channel < into.length; channel++) {
    const samples = from[channel]!;
    const sum = into[channel]!;
    for (let at = 0; at < BLOCK; at++) sum[at]! += samples[at]!;
  }
}

/** An amplitude beyond any sound: 120 dB above full scale. */
const BEYOND_SOUND = 1e6;

/**
 * Returns a sample from outside; 0 for one that is no sound, such as NaN. Filters and meters would
 * keep it for ever, and nothing else would be heard.
 */
export const sound = (sample: number) => Math.abs(sample) < BEYOND_SOUND ? sample : 0;
