/**
 * A pacer lets long work share the one thread: whoever has much to do asks it before each step, and
 * it answers at once, or after everything else had its turn.
 *
 * @module
 */
import type { Clock, Pacer, Steps } from "./ports.ts";

/** Work may go on for so long, in ms, before everything else has its turn. */
export const STRETCH_MS = 1;

/**
 * Makes a pacer. A stretch begins with the first step after the event loop came round, so whoever
 * asks alone never waits. `afterOthers` calls back when it has come round once more, and timers and
 * the network had their turn. Of many who wait, who waits longest goes first.
 */
export function createPacer(
  clock: Pick<Clock, "monotonic">,
  afterOthers: (goOn: () => void) => void,
): Pacer {
  const waiting: (() => void)[] = [];
  /** Whether something was done since the event loop last came round. */
  let stretching = false;
  let began = 0;
  /** What is to be done alone, by who asked for it; who is next is first. */
  const alone = new Map<string, (() => Promise<unknown>)[]>();
  let isAlone = false;

  function beginStretch(): void {
    stretching = true;
    began = clock.monotonic();
    afterOthers(endStretch);
  }

  function endStretch(): void {
    stretching = false;
    if (waiting.length === 0) return;
    beginStretch();
    letNextGoOn();
  }

  function isStretchOver(): boolean {
    return clock.monotonic() - began >= STRETCH_MS;
  }

  function letNextGoOn(): void {
    if (waiting.length === 0 || isStretchOver()) return;
    waiting.shift()!();
    // It takes its step before this: its turn was asked for first.
    Promise.resolve().then(letNextGoOn);
  }

  function pause(): Promise<void> | undefined {
    if (!stretching) beginStretch();
    if (waiting.length === 0 && !isStretchOver()) return undefined;
    return new Promise((resolve) => waiting.push(resolve));
  }

  async function doAlone(): Promise<void> {
    isAlone = true;
    for (const [asker, works] of alone) {
      // Who asks for more comes last again: a map goes on to what is added meanwhile.
      alone.delete(asker);
      const [next, ...later] = works;
      if (later.length > 0) alone.set(asker, later);
      await next!();
    }
    isAlone = false;
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
    alone(asker = "", work) {
      return new Promise((resolve, reject) => {
        const one = () => Promise.resolve().then(work).then(resolve, reject);
        const others = alone.get(asker);
        if (others === undefined) alone.set(asker, [one]);
        else others.push(one);
        if (!isAlone) doAlone();
      });
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
