/**
 * The births that a console owes on one connection: the first birth, a birth after a gap, and a
 * birth after its changes have made its summary grow too much.
 *
 * @module
 */
import { after, type Timer } from "../../core/ports.ts";
import { BIRTH_MS, GROWTH_BYTES } from "./hub-limits.ts";

/** The births of one connection. */
export interface OwedBirth {
  /** Asks for a birth, unless one is already asked for. */
  ask(): void;
  /** Takes note that a birth has come. */
  came(): void;
  /** Takes note of a change of a number of bytes. */
  grew(bytes: number): void;
  /** Ends all waiting. */
  stop(): void;
}

/**
 * Waits for the first birth; `ask` sends the question, and `fail` is called if no birth comes in
 * time.
 */
export function createOwedBirth(
  timer: Timer,
  { ask: send, fail }: { readonly ask: () => void; readonly fail: (why: string) => void },
): OwedBirth {
  let isAsked = false;
  let grown = 0;
  let hasTooMuch = false;
  let stopWaiting = wait();

  function wait(): () => void {
    return after(timer, BIRTH_MS, () => fail("no birth came"));
  }

  function ask(): void {
    if (isAsked) return;
    isAsked = true;
    send();
  }

  return {
    ask,
    came() {
      stopWaiting();
      isAsked = false;
      grown = 0;
      hasTooMuch = false;
    },
    grew(bytes) {
      grown += bytes;
      if (grown <= GROWTH_BYTES) return;
      ask();
      // Without a birth, the changes of the console would make its summary grow without end.
      if (hasTooMuch) return;
      hasTooMuch = true;
      stopWaiting = wait();
    },
    stop: () => stopWaiting(),
  };
}
