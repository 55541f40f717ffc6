/**
 * The block `delay`. Another delay time makes another block, which is faded in: a gliding delay
 * would change the pitch while it glides.
 *
 * @module
 */
import { BLOCK } from "../signal.ts";
import type { BlockKind, BlockValues } from "./block.ts";

const secondsOf = ({ delay }: BlockValues) => (delay as number) / 1000;

/** `delay`: delays the signal by its value in ms, with linear interpolation between samples. */
export const delay: BlockKind = {
  fixed: ({ delay }) => [delay!],
  make(sampleRate, values) {
    const samples = secondsOf(values) * sampleRate;
    const whole = Math.floor(samples);
    const part = samples - whole;
    const length = whole + 2;
    const lines = [new Float32Array(length), new Float32Array(length)] as const;
    let start = 0;
    return {
      process(signal) {
        for (const [side, line] of lines.entries()) {
          const channel = signal[side]!;
          let write = start;
          for (let at = 0; at < BLOCK; at++) {
            line[write] = channel[at]!;
            // The line is two samples longer than the delay, so the two samples that are read come
            // after the written one.
            const later = write + 1 < length ? write + 1 : 0;
            const read = later + 1 < length ? later + 1 : 0;
            channel[at] = line[read]! + (line[later]! - line[read]!) * part;
            write = later;
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
