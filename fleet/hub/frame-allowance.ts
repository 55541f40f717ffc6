/**
 * The rate limit of the frames of a console on one connection. The answers to commands that the hub
 * has sent do not count.
 *
 * @module
 */
import { CONTROL_RATE } from "./hub-limits.ts";
import { createRate } from "./rate.ts";
import { ANSWER_FRAME_BYTES } from "../wire.ts";

/** The frames of one connection. */
export interface FrameAllowance {
  /** Takes note that the console was sent a command, which it answers with one frame. */
  asked(): void;
  /** Says whether a frame may come, at a monotonic time in ms. */
  takes(frame: string, now: number): boolean;
}

/** The start of an answer to a command, as consoles write it. */
const ANSWER = /^\{"type":"(did|would)"/;

/** Makes the allowance of a connection. */
export function createFrameAllowance(): FrameAllowance {
  const frames = createRate(CONTROL_RATE.frames, CONTROL_RATE.framesPerSecond);
  const bytes = createRate(CONTROL_RATE.bytes, CONTROL_RATE.bytesPerSecond);
  /** Number of answers that have not come. */
  let owed = 0;
  return {
    asked: () => void owed++,
    takes(frame, now) {
      // An answer that the hub has asked for is no flood.
      if (owed === 0 || frame.length > ANSWER_FRAME_BYTES || !ANSWER.test(frame)) {
        return frames.take(1, now) && bytes.take(frame.length, now);
      }
      owed--;
      return true;
    },
  };
}
