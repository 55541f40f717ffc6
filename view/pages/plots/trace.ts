/**
 * One value over the last minute, in slots of time. Pure: it is told the slot.
 *
 * @module
 */

/** How long a slot is, in ms. */
export const SLOT_MS = 100;

/** How many slots a minute has. */
export const SLOTS = 60_000 / SLOT_MS;

/** What is late by no more slots than this holds its value; behind that nothing is known. */
const LATE_SLOTS = 5;

/** A value over the last minute. */
export interface Trace {
  /** Notes the value of a slot, undefined where it is not known; slots never go back. */
  put(slot: number, value: number | undefined): void;
  /** The value of a slot of the minute that ended with the last one; undefined where none is. */
  at(slot: number): number | undefined;
  /** The highest value of that minute; undefined where none is known. */
  highest(): number | undefined;
}

/** Makes a trace of which nothing is known. */
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
