/**
 * A pacer lets long work share the one thread: whoever has much to do asks it before each step, and
 * it answers at once, or after everything else had its turn.
 *
 * @module
 */
import type { Clock, Pacer, Steps } from "./ports.ts";

/** Work may go on for so long, in ms, before everything else has its turn. */
export const STRETCH_MS = 1;

/** Period in ms in which the network is polled while work is always waiting. */
export const NETWORK_MS = 8;

/**
 * Makes a pacer. A stretch begins with the first step after the event loop came round, so whoever
 * asks alone never waits. `afterOthers` calls back when it has come round once more, and timers and
 * the network had their turn. Of many who wait each asker has a step in turn, and of one asker who
 * waits longest goes first. `afterNetwork` does the same once the network was looked at, which an
 * event loop that always has something to do may put off.
 */
export function createPacer(
  clock: Pick<Clock, "monotonic">,
  afterOthers: (goOn: () => void) => void,
  afterNetwork: (goOn: () => void) => void = afterOthers,
): Pacer {
  /** Who waits, by who asked; whose turn is next is first. */
  const waiting = new Map<string, (() => void)[]>();
  /** Whose turn it is: what follows in the same stretch is of the same turn. */
  let turnOf: string | undefined;
  /** Whether something was done since the event loop last came round. */
  let stretching = false;
  let began = 0;
  /** When the network was last looked at. */
  let lookedAt = 0;
  /** What is to be done alone, by who asked for it; who is next is first. */
  const alone = new Map<string, (() => Promise<unknown>)[]>();
  let isAlone = false;

  function beginStretch(): void {
    stretching = true;
    began = clock.monotonic();
    if (waiting.size === 0) lookedAt = began;
    if (began - lookedAt < NETWORK_MS) return afterOthers(endStretch);
    afterNetwork(() => {
      lookedAt = clock.monotonic();
      endStretch();
    });
  }

  function endStretch(): void {
    stretching = false;
    turnOf = undefined;
    if (waiting.size === 0) return;
    beginStretch();
    letNextGoOn();
  }

  function isStretchOver(): boolean {
    return clock.monotonic() - began >= STRETCH_MS;
  }

  function letNextGoOn(): void {
    if (waiting.size === 0 || isStretchOver()) return;
    const [asker, steps] = waiting.entries().next().value!;
    turnOf = asker;
    const goOn = steps.shift()!;
    if (steps.length === 0) waiting.delete(asker);
    else if (waiting.size > 1) {
      waiting.delete(asker);
      waiting.set(asker, steps);
    }
    goOn();
    // It takes its step before this: its turn was asked for first.
    Promise.resolve().then(letNextGoOn);
  }

  function pause(asker = ""): Promise<void> | undefined {
    if (!stretching) beginStretch();
    if ((waiting.size === 0 || asker === turnOf) && !isStretchOver()) return undefined;
    return new Promise((resolve) => {
      const steps = waiting.get(asker);
      if (steps === undefined) waiting.set(asker, [resolve]);
      else steps.push(resolve);
    });
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
    async run(work, asker) {
      let step = work.next();
      while (!step.done) {
        const turn = pause(asker);
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
