/**
 * The points of one meter over the last hour: of each of its values one a second.
 *
 * @module
 */
import { HISTORY_SECONDS, METER_SILENCE_DB } from "../limits.ts";

/**
 * What the point of a value is: the `highest` value within the second, and of several seconds; or
 * the `last` one within the second, and the mean of several seconds.
 */
export type PointKind = "highest" | "last";

/** The values of a meter that have points. */
export type PointKinds = Readonly<Record<string, PointKind>>;

/** The points of each value in their order, in tenths of the unit rounded; null where none is known. */
export type PointLists = Readonly<Record<string, readonly (number | null)[]>>;

/** The points of a meter. Seconds are whole numbers, counted from any origin. */
export interface Points {
  /** The second of the first point; Infinity while there is none. */
  readonly first: number;
  /**
   * Notes values in force within a second, which must not be earlier than the one before. A value
   * has no points until it is first other than silent: until then it takes no memory.
   */
  note(second: number, values: Readonly<Record<string, unknown>>): void;
  /** Returns the points of `count` steps of `step` seconds each, the first of which is at `from`. */
  read(from: number, step: number, count: number): PointLists;
}

/** Tenths of a unit fit into 16 bits, as `METER_RANGE` bounds the values; this one means none. */
const UNKNOWN = -0x8000;

const PARTS = 10;

/** Makes the points of a meter, none at first. */
export function createPoints(kinds: PointKinds): Points {
  const lists = new Map<string, Int16Array>();
  let first = Infinity;
  let last = -Infinity;

  function passTo(second: number): void {
    const from = Math.max(last + 1, second - HISTORY_SECONDS + 1);
    for (const list of lists.values()) {
      for (let at = from; at <= second; at++) list[at % HISTORY_SECONDS] = UNKNOWN;
    }
    last = second;
  }

  return {
    get first() {
      return first;
    },
    note(second, values) {
      if (second > last) passTo(second);
      const at = last % HISTORY_SECONDS;
      for (const member of Object.keys(kinds)) {
        const value = values[member];
        if (typeof value !== "number") continue;
        if (!lists.has(member)) {
          if (value === METER_SILENCE_DB) continue;
          lists.set(member, new Int16Array(HISTORY_SECONDS).fill(UNKNOWN));
          first = Math.min(first, last);
        }
        const list = lists.get(member)!;
        const point = Math.round(value * PARTS);
        list[at] = kinds[member] === "highest" ? Math.max(list[at]!, point) : point;
      }
    },
    read(from, step, count) {
      const pointAt = (list: Int16Array, kind: PointKind, start: number) => {
        let sum = 0;
        let known = 0;
        let highest = UNKNOWN;
        const begin = Math.max(start, last - HISTORY_SECONDS + 1);
        for (let second = begin; second < start + step && second <= last; second++) {
          const point = list[second % HISTORY_SECONDS]!;
          if (point === UNKNOWN) continue;
          sum += point;
          known++;
          highest = Math.max(highest, point);
        }
        if (known === 0) return null;
        return Math.round(kind === "highest" ? highest : sum / known) / PARTS;
      };
      return Object.fromEntries(Array.from(lists, ([member, list]) => {
        const points = Array.from(
          { length: count },
          (_, index) => pointAt(list, kinds[member]!, from + index * step),
        );
        return [member, points];
      }));
    },
  };
}
