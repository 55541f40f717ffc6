/**
 * Meters with ballistics: they rise and fall more slowly than the signal. Each kind has two forms:
 * one for the levels of blocks, for engines without samples, and one for samples. Both show the
 * same for the same signal: for a steady tone its peak in dBFS.
 *
 * @module
 */

/** A meter that is fed with levels. */
export interface Meter {
  /**
   * Advances the meter by a block.
   *
   * @param level the level in the block as an amplitude, 0 or more, 1 being full scale
   * @param seconds the duration of the block, 0 or more
   * @returns the reading at the end of the block, in dBFS, -125 or more
   */
  step(level: number, seconds: number): number;
}

/** A meter that is fed with samples. */
export interface SampleMeter {
  /**
   * Advances the meter by the samples of one channel, -1..1 at full scale, and returns its reading
   * after them in dBFS, at least -125.
   */
  take(samples: Float32Array): number;
}
