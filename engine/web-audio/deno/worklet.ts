/**
 * The module of the audio thread under Deno. There node-web-audio-api 2.2 asks for work in a loop of
 * `setImmediate`, without a pause, which takes a whole core. Here the loop pauses for a millisecond
 * where it has just found no work. A buffer of sound lasts at least 2.7 ms, and while the engine
 * catches up there is always work.
 *
 * @module
 */
import "../worklet.ts";

/** What the loop and this module share. */
declare const globalThis: {
  readonly currentFrame: number;
  setImmediate: (action: () => void) => unknown;
};

const PAUSE_MS = 1;

const { setImmediate } = globalThis;
const never = new Int32Array(new SharedArrayBuffer(4));
let lastFrame = -1;

globalThis.setImmediate = (action) => {
  const { currentFrame } = globalThis;
  if (currentFrame === lastFrame) Atomics.wait(never, 0, 0, PAUSE_MS);
  lastFrame = currentFrame;
  return setImmediate(action);
};
