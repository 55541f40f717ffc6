/**
 * Tones as samples, for meters.
 *
 * @module
 */

/** The samples of a tone, by its sample rate in Hz, its duration in s and its amplitude. */
export function toneOf(
  { frequency, seconds, rate = 48_000, amplitude = 1, phase = 0 }: {
    readonly frequency: number;
    readonly seconds: number;
    readonly rate?: number;
    readonly amplitude?: number;
    /** The phase at the start, in turns. */
    readonly phase?: number;
  },
): Float32Array {
  return Float32Array.from(
    { length: Math.round(seconds * rate) },
    (_, at) => amplitude * Math.sin(2 * Math.PI * (frequency * at / rate + phase)),
  );
}

/** Passes samples on in blocks of 128, as audio engines do; returns the last result. */
export function inBlocks<Shown>(
  samples: Float32Array,
  take: (block: Float32Array) => Shown,
): Shown {
  let shown: Shown;
  for (let at = 0; at < samples.length; at += 128) shown = take(samples.subarray(at, at + 128));
  return shown!;
}
