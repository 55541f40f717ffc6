/**
 * Whoever has much to do on the one thread asks the pacer before each step.
 *
 * @module
 */
import type { Clock, Pacer, Steps } from "./ports.ts";

/** Work may go on for so long, in ms, before everything else has its turn. */
export const STRETCH_MS = 1;

/**
 * Makes a pacer. `afterOthers` calls back when the event loop has come round once, so that timers
 * and the network had their turn. Of many who wait, who waits longest goes first.
 */
export function createPacer(
  clock: Pick<Clock, "monotonic">,
  afterOthers: (goOn: () => void) => void,
): Pacer {
  const waiting: (() => void)[] = [];
  /**
   * The time when the present stretch of work began; undefined where none has since the loop came
   * round.
   */
  let began: number | undefined;
  let lastAlone: Promise<unknown> = Promise.resolve();

  function mayGoOn(): boolean {
    return began === undefined || clock.monotonic() - began < STRETCH_MS;
  }

  function begin(): void {
    if (began !== undefined) return;
    began = clock.monotonic();
    afterOthers(comeRound);
  }

  function comeRound(): void {
    began = undefined;
    letNextGoOn();
  }

  function letNextGoOn(): void {
    if (waiting.length === 0 || !mayGoOn()) return;
    begin();
    waiting.shift()!();
    // The one that was let go on takes its step before this, since its turn was asked for first.
    Promise.resolve().then(letNextGoOn);
  }

  function pause(): Promise<void> | undefined {
    if (waiting.length === 0 && mayGoOn()) {
      begin();
      return undefined;
    }
    return new Promise((resolve) => waiting.push(resolve));
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
