/**
 * The clock and the random source of this machine, for Deno as for Node.
 *
 * @module
 */
import type { DecisionPorts } from "../core/command.ts";
import { createCooperativeScheduler } from "../core/cooperative-scheduler.ts";
import type { CooperativeScheduler, Timer } from "../core/ports.ts";

/** The ports of decisions, real; the origin of the monotonic clock is the start of the program. */
export const machine: DecisionPorts = {
  clock: { now: Date.now, monotonic: () => performance.now() },
  random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
};

/**
 * Makes a scheduler of this machine; a program has one, made at its start. Deno looks at the
 * network only once in 61 turns of an event loop that is never idle, so at times it is made idle,
 * by a timeout.
 */
export function machineScheduler(): CooperativeScheduler {
  return createCooperativeScheduler(
    machine.clock,
    (goOn) => setImmediate(goOn),
    (goOn) => setTimeout(goOn),
  );
}

/** Wake-ups of this machine. They come up to 2 ms late: its timeouts count in whole ms twice. */
export const machineTimer: Timer = {
  monotonic: machine.clock.monotonic,
  at(due, wake) {
    const timeout = setTimeout(wake, Math.max(0, Math.ceil(due - performance.now())));
    return () => clearTimeout(timeout);
  },
};

/** The longest time for which the event loop is held to wake up on time, in ms. */
const LONGEST_SLEEP_MS = 1;

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * Wake-ups of this machine on time, for fades alone: each takes a timeout that is early by up to 1
 * ms, and sleeps the rest. With it half of all ticks come within 0.1 ms, without it they are 1 ms
 * late (`deno task bench fade`).
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
