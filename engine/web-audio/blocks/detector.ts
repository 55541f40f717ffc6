/**
 * Measures the level of a signal sample by sample, of both sides together, so that the stereo image
 * does not move. Sides of opposite phase count like equal ones.
 *
 * ```
 * signal - mean of |left| and |right| ─┬ lowpass, attack ──┬ the higher one
 *                                      └ lowpass, release ─┘
 * ```
 *
 * A level is given as the peak of a sine that has it, as in the compressor. Attack and release are
 * the time constants of the lowpasses.
 *
 * @module
 */
import { BLOCK, type Stereo } from "../signal.ts";
import { type BlockValues, follow } from "./block.ts";

/** The range of levels that are distinguished from silence, in dB below full scale. */
export const SPAN_DB = 100;

/** The ratio of the mean of a rectified sine to its peak. */
const MEAN_OF_SINE = 2 / Math.PI;

/** A level below this counts as 0: processors are slow with denormal numbers. */
const NOTHING = 1e-12;

/** Times of a detector, in ms. */
export interface Times {
  readonly attack: number;
  readonly release: number;
}

/** A detector. {@linkcode createDetector} makes one. */
export interface Detector {
  /**
   * Returns the level of each sample of a block, as the amplitude of the peak of a sine. The array
   * belongs to the detector, and is valid until the next call.
   */
  levels(signal: Stereo, frame: number): Float32Array;
  update(values: BlockValues, when: number): void;
  /** Returns its state, from which another detector may go on. */
  held(): readonly number[];
}

/** Makes a detector. */
export function createDetector(
  sampleRate: number,
  values: BlockValues,
  timesOf: (values: BlockValues) => Times,
  held: readonly number[] = [],
): Detector {
  // Two equal poles: the fastest lowpass that does not overshoot.
  const turning = (ms: number) => 1 - Math.exp(-2000 / (ms * sampleRate));
  const { ramps, update } = follow(sampleRate, values, {
    attack: (values) => turning(timesOf(values).attack),
    release: (values) => turning(timesOf(values).release),
  });
  const levels = new Float32Array(BLOCK);
  let [rising = 0, risen = 0, falling = 0, fallen = 0] = held;
  return {
    update,
    levels([left, right], frame) {
      const attack = ramps.attack.valueAt(frame);
      const release = ramps.release.valueAt(frame);
      for (let at = 0; at < BLOCK; at++) {
        const level = (Math.abs(left[at]!) + Math.abs(right[at]!)) / (2 * MEAN_OF_SINE);
        rising += attack * (level - rising);
        risen += attack * (rising - risen);
        falling += release * (level - falling);
        fallen += release * (falling - fallen);
        levels[at] = Math.max(risen, fallen);
      }
      if (levels[BLOCK - 1]! < NOTHING) [rising, risen, falling, fallen] = [0, 0, 0, 0];
      return levels;
    },
    held: () => [rising, risen, falling, fallen],
  };
}
