/**
 * Whoever has much to do on the one thread asks the pacer before each step.
 *
 * @module
 */
import type { Clock, Pacer, Steps } from "./ports.ts";

/** Work may go on for so long, in ms, before everything else has its turn. */
export const STRETCH_MS = 1;

/**
 * Makes a pacer. `afterOthers` calls back when the event loop has come round once, so that timers and
 * the network had their turn; it is called once in a stretch, and only while there is work. Of many who
 * wait, who waits longest goes first.
 */
export function createPacer(
  clock: Pick<Clock, "monotonic">,
  afterOthers: (goOn: () => void) => void,
): Pacer {
  const waiting: (() => void)[] = [];
  /** Whether whoever waits longest is about to be let go on. */
  let called = false;
  let began = clock.monotonic();
  let lastAlone: Promise<unknown> = Promise.resolve();

  function isStretchOver(): boolean {
    return clock.monotonic() - began >= STRETCH_MS;
  }

  function beginStretch(): void {
    began = clock.monotonic();
    letNextGoOn();
  }

  function letNextGoOn(): void {
    const next = waiting[0];
    if (next === undefined) called = false;
    else if (isStretchOver()) afterOthers(beginStretch);
    else {
      waiting.shift();
      next();
      // It takes its step before this: its turn was asked for first.
      Promise.resolve().then(letNextGoOn);
    }
  }

  function pause(): Promise<void> | undefined {
    if (waiting.length === 0 && !isStretchOver()) return undefined;
    return new Promise((resolve) => {
      waiting.push(resolve);
      if (called) return;
      called = true;
      afterOthers(beginStretch);
    });
  }

  return {
    pause,
    async run(work) {
      let step = work.next();
      while (!step.done) {
        const turn = pause();
        if (turn !== undefined) await turn;
        step = work.next();
      }
      return step.value;
    },
    alone(work) {
      const done = lastAlone.then(work);
      lastAlone = done.catch(() => {});
      return done;
    },
  };
}

/** This pacer never pauses, for a program that has nothing else to do meanwhile. */
export const unpaced: Pacer = createPacer({ monotonic: () => 0 }, () => {});

/**
 * Takes all steps of a piece of work in one go, as at a start, when nothing else is to be done yet.
 */
export function atOnce<Result>(work: Steps<Result>): Result {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}
