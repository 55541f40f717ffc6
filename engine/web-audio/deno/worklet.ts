/**
 * The module of the audio thread under Deno. There node-web-audio-api 2.2 asks for work in a loop
 * of `setImmediate`, without a pause, which takes a whole core. Here the loop pauses where it has
 * just found no work.
 *
 * @module
 */
import "../worklet.ts";

/** The globals that the render loop and this module share. */
declare const globalThis: {
  readonly currentFrame: number;
  setImmediate: (action: () => void) => unknown;
};

/** The longest pause, in ms; a block of sound lasts 2.7. */
const MAX_PAUSE = 1;

/** The shortest pause, in ms. */
const MIN_PAUSE = 1 / 16;

const { setImmediate } = globalThis;
const never = new Int32Array(new SharedArrayBuffer(4));
let lastFrame = -1;
let pause = MAX_PAUSE;
let pauses = 0;

globalThis.setImmediate = (action) => {
  const { currentFrame } = globalThis;
  if (currentFrame === lastFrame) {
    Atomics.wait(never, 0, 0, pause);
    pauses++;
  } else {
    // Work that is found after at most one pause may have waited, for example while the engine
    // catches up: then the pauses become shorter.
    pause = pauses > 1 ? Math.min(MAX_PAUSE, 2 * pause) : Math.max(MIN_PAUSE, pause / 2);
    pauses = 0;
    lastFrame = currentFrame;
  }
  return setImmediate(action);
};
