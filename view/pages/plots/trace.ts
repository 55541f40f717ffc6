/**
 * One value over the range of a plot, in time slots. Pure: the caller gives the slot.
 *
 * @module
 */

/** Number of slots of a range. */
export const SLOTS = 600;

/**
 * Maximum length in ms of a gap between two values that is filled, with the later value; the slots
 * of a longer gap are unknown.
 */
const LATE_MS = 500;

/** A value over a range. */
export interface Trace {
  /**
   * Stores the value of a slot, undefined if it is unknown. Slots must not decrease; of several
   * values of a slot the last one counts, or the highest one if `isHighest`.
   */
  put(slot: number, value: number | undefined): void;
  /** Stores an earlier value: the value of a slot of the range that is unknown so far. */
  fill(slot: number, value: number): void;
  /** The value of a slot of the range that ends with the last slot; undefined if there is none. */
  at(slot: number): number | undefined;
  /** The maximum value of that range; undefined if none is known. */
  highest(): number | undefined;
  /** All known values of that range, in no order. */
  known(): number[];
}

/** Makes an empty trace whose slots have a length in ms. */
export function createTrace(slotMs: number, { isHighest = false } = {}): Trace {
  const values = new Float32Array(SLOTS).fill(NaN);
  let last: number | undefined;

  const knownValue = (value: number | undefined) => Number.isNaN(value) ? undefined : value;

  function put(slot: number, value = NaN): void {
    if (slot === last) {
      const before = values[indexOf(slot)]!;
      const isKept = Number.isNaN(value) || isHighest && value <= before;
      if (!isKept) values[indexOf(slot)] = value;
      return;
    }
    const before = last ?? slot - 1;
    const gap = slot - before - 1;
    const held = gap * slotMs <= LATE_MS ? value : NaN;
    for (let at = Math.max(before + 1, slot - SLOTS + 1); at < slot; at++) {
      values[indexOf(at)] = held;
    }
    values[indexOf(slot)] = value;
    last = slot;
  }

  const known = () => [...values].filter((value) => !Number.isNaN(value));

  return {
    put,
    fill(slot, value) {
      if (last === undefined || slot > last) put(slot, value);
      else if (slot > last - SLOTS && Number.isNaN(values[indexOf(slot)])) {
        values[indexOf(slot)] = value;
      }
    },
    at(slot) {
      return last === undefined || slot > last || slot <= last - SLOTS
        ? undefined
        : knownValue(values[indexOf(slot)]);
    },
    highest() {
      let highest: number | undefined;
      for (const value of values) {
        if (!Number.isNaN(value) && !(value <= highest!)) highest = value;
      }
      return highest;
    },
    known,
  };
}

/** The index at which a slot is stored; slots before the page was opened are negative. */
function indexOf(slot: number): number {
  return (slot % SLOTS + SLOTS) % SLOTS;
}
