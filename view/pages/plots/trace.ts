/**
 * One value over the last minute, in time slots. Pure: the caller gives the slot.
 *
 * @module
 */

/** Length of a slot in ms. */
export const SLOT_MS = 100;

/** Number of slots in a minute. */
export const SLOTS = 60_000 / SLOT_MS;

/**
 * Number of slots for which the last value is held without a new one; after that the value is
 * unknown.
 */
const LATE_SLOTS = 5;

/** A value over the last minute. */
export interface Trace {
  /** Stores the value of a slot, undefined if it is unknown. Slots must not decrease. */
  put(slot: number, value: number | undefined): void;
  /** The value of a slot of the minute that ends with the last slot; undefined if there is none. */
  at(slot: number): number | undefined;
  /** The maximum value of that minute; undefined if none is known. */
  highest(): number | undefined;
}

/** Makes an empty trace. */
export function createTrace(): Trace {
  const values = new Float32Array(SLOTS).fill(NaN);
  let last: number | undefined;

  const known = (value: number | undefined) => Number.isNaN(value) ? undefined : value;

  return {
    put(slot, value = NaN) {
      const before = last ?? slot - 1;
      const gap = slot - before - 1;
      const held = gap <= LATE_SLOTS ? value : NaN;
      for (let at = Math.max(before + 1, slot - SLOTS + 1); at < slot; at++) {
        values[at % SLOTS] = held;
      }
      values[slot % SLOTS] = value;
      last = slot;
    },
    at(slot) {
      return last === undefined || slot > last || slot <= last - SLOTS
        ? undefined
        : known(values[slot % SLOTS]);
    },
    highest() {
      let highest: number | undefined;
      for (const value of values) {
        if (!Number.isNaN(value) && !(value <= highest!)) highest = value;
      }
      return highest;
    },
  };
}
