/**
 * The clock and the random source of this machine.
 *
 * @module
 */
import type { DecisionPorts } from "../core/command.ts";
import { createPacer } from "../core/pacer.ts";
import type { Pacer, Timer } from "../core/ports.ts";

/** The ports of decisions, real; the origin of the monotonic clock is the start of the program. */
export const machine: DecisionPorts = {
  clock: { now: Date.now, monotonic: () => performance.now() },
  random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
};

/** A pacer of this machine; a program has one, made at its start. */
export function machinePacer(): Pacer {
  return createPacer(machine.clock, (goOn) => setImmediate(goOn));
}

/** The event loop stands still for no longer; a timeout that is earlier still is taken again. */
const LONGEST_SLEEP_MS = 1;

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * Wake-ups of this machine. Its timeouts come up to 2 ms late, as they count in whole ms twice, in the
 * runtime and in the kernel. So a timeout is taken that is early by up to one, and the rest is slept.
 */
export const machineTimer: Timer = {
  monotonic: () => performance.now(),
  at(due, wake) {
    const timeout = setTimeout(() => {
      const early = due - performance.now();
      if (early > 0) Atomics.wait(never, 0, 0, Math.min(early, LONGEST_SLEEP_MS));
      wake();
    }, Math.max(0, Math.floor(due - performance.now())));
    return () => clearTimeout(timeout);
  },
};
