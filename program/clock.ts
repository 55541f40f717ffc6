/**
 * The clock and the random source of this machine.
 *
 * @module
 */
import type { DecisionPorts } from "../core/console.ts";
import type { Timer } from "../core/ports.ts";

/** The ports of decisions, real; the origin of the monotonic clock is the start of the program. */
export const machine: DecisionPorts = {
  clock: { now: Date.now, monotonic: () => performance.now() },
  random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
};

/** Wake-ups of this machine. */
export const machineTimer: Timer = {
  at(due, wake) {
    const timeout = setTimeout(wake, Math.max(0, Math.ceil(due - performance.now())));
    return () => clearTimeout(timeout);
  },
};
