/**
 * The points of one meter over the last hour: one a second for each of its values.
 *
 * @module
 */
import { HISTORY_SECONDS, METER_SILENCE_DB } from "../limits.ts";

/**
 * How a point is computed: `highest` is the highest value within a second or several; `last` is the
 * last value within a second, and for several seconds the mean of these.
 */
export type PointKind = "highest" | "last";

/** The values of a meter that have points. */
export type PointKinds = Readonly<Record<string, PointKind>>;

/** The points of each value in order, rounded to tenths of the unit; null for an unknown point. */
export type PointLists = Readonly<Record<string, readonly (number | null)[]>>;

/** The points of a meter. Seconds are whole numbers, counted from any origin. */
export interface Points {
  /** The second of the first point; Infinity while there is none. */
  readonly first: number;
  /**
   * Notes values in force within a second, which must not be earlier than the one before. A value
   * that was always silent has no points, and takes no memory.
   */
  note(second: number, values: Readonly<Record<string, unknown>>): void;
  /**
   * Returns the points of `count` steps of `step` seconds each; the first step begins at `from`.
   */
  read(from: number, step: number, count: number): PointLists;
}

/**
 * Tenths of a unit fit into 16 bits, as `METER_RANGE` bounds the values; this value stands for an
 * unknown point.
 */
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
