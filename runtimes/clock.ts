/**
 * The clock, the timers and the random source of this machine, for Deno and for Node.
 *
 * @module
 */
import type { DecisionPorts } from "../core/command.ts";
import { createCooperativeScheduler } from "../core/cooperative-scheduler.ts";
import type { CooperativeScheduler, Timer } from "../core/ports.ts";

/**
 * The ports of decisions on this machine. The monotonic clock begins at the start of the
 * program in Deno and Node, and in 1970 in workerd.
 */
export const machine: DecisionPorts = {
  clock: { now: Date.now, monotonic: () => performance.now() },
  random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
};

/**
 * Makes the scheduler of this machine; a program makes one at its start. Deno polls the network
 * only once in 61 turns of an event loop that is never idle, so the scheduler lets the loop become
 * idle at times, by a timeout.
 */
export function machineScheduler(): CooperativeScheduler {
  return createCooperativeScheduler(
    machine.clock,
    (goOn) => setImmediate(goOn),
    (goOn) => setTimeout(goOn),
  );
}

/**
 * The timer of this machine. Its wake-ups are up to 2 ms late, because a timeout is rounded up to
 * whole ms twice.
 */
export const machineTimer: Timer = {
  monotonic: machine.clock.monotonic,
  at(due, wake) {
    const timeout = setTimeout(wake, Math.max(0, Math.ceil(due - performance.now())));
    return () => clearTimeout(timeout);
  },
};

/** Maximum time in ms for which the event loop is blocked to wake up on time. */
const LONGEST_SLEEP_MS = 1;

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * The timer for fades, with punctual wake-ups: each uses a timeout that is up to 1 ms early, and
 * blocks for the rest. So half of all ticks are at most 0.1 ms late; with the other timer they are
 * 1 ms late (`deno task bench fade`).
 */
export const punctualTimer: Timer = {
  monotonic: machine.clock.monotonic,
  at(due, wake) {
    const timeout = setTimeout(() => {
      const early = due - performance.now();
      if (early > 0) Atomics.wait(never, 0, 0, Math.min(early, LONGEST_SLEEP_MS));
      wake();
    }, Math.max(0, Math.floor(due - performance.now())));
    return () => clearTimeout(timeout);
  },
};
