/**
 * A meter moves by its ballistics: it rises and falls slower than what it measures. Each kind has
 * two faces. One takes the level of a block, for whoever knows levels and no samples; the other
 * takes the samples. Both show the same of the same tone: its peak, in dBFS, for a tone that lasts.
 *
 * @module
 */

/** A meter of levels. */
export interface Meter {
  /**
   * Moves it on by a block.
   *
   * @param level the level in the block as an amplitude, 0 or more, 1 being full scale
   * @param seconds how long the block is, 0 or more
   * @returns what it shows at the end of the block, in dBFS, -125 or more
   */
  step(level: number, seconds: number): number;
}

/** A meter of samples. */
export interface SampleMeter {
  /**
   * Moves it on by the samples of one channel, -1..1 at full scale, and answers what it shows after
   * them, in dBFS, -125 or more.
   */
  take(samples: Float32Array): number;
}
