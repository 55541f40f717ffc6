/**
 * The block `delay`. Another delay time makes another block, which is faded in: a gliding delay
 * would change the pitch while it glides.
 *
 * @module
 */
import { BLOCK } from "../signal.ts";
import type { BlockKind, BlockValues } from "./block.ts";

const secondsOf = ({ delay }: BlockValues) => (delay as number) / 1000;

/**
 * `delay`: delays the signal by its value in ms, to the nearest sample: interpolation between two
 * samples would be a lowpass.
 */
export const delay: BlockKind = {
  fixed: ({ delay }) => [delay!],
  make(sampleRate, values) {
    // One more than the delay, as the present sample is written before another one is read.
    const length = Math.round(secondsOf(values) * sampleRate) + 1;
    const lines = [new Float32Array(length), new Float32Array(length)] as const;
    let start = 0;
    return {
      process(signal) {
        for (const [side, line] of lines.entries()) {
          const channel = signal[side]!;
          let write = start;
          for (let at = 0; at < BLOCK; at++) {
            line[write] = channel[at]!;
            write = write + 1 < length ? write + 1 : 0;
            channel[at] = line[write]!;
          }
        }
        start = (start + BLOCK) % length;
      },
      update() {},
    };
  },
  // So a new block is faded in once the signal has passed through it.
  settles: secondsOf,
};
