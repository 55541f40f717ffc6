/**
 * A console for benches.
 *
 * @module
 */
import { readConfiguration } from "../core/configuration/configuration.ts";
import { type Console, createConsole } from "../core/console.ts";
import type { Clock } from "../core/ports.ts";
import { initialState } from "../core/state.ts";

/** The clock of this machine. */
export const realClock: Clock = { now: Date.now, monotonic: () => performance.now() };

/** A console with one mixer of so many faders, on a store that keeps nothing. */
export function forgetfulConsole(faders: number): Console {
  const limits = {
    writes: { perMinute: 0, bytesPerMinute: 0 },
    snapshots: 65_535,
    stateBytes: 2 ** 32,
  };
  const read = readConfiguration({ mixers: [{ faders }], limits });
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return createConsole({
    state: initialState(read.configuration),
    store: { append: () => Promise.resolve() },
    clock: realClock,
    random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
  });
}
