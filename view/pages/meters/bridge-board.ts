/**
 * The board of the meter bridge, and the numbers beside its meters.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { createMeterBoard, type MeterBoard } from "../../parts/meters/board.ts";
import { SILENT_DB } from "../../parts/meters/scale.ts";
import type { Sides } from "../../parts/meters/seen-feeds.ts";
import { meters } from "../../state/live.ts";
import { areMetersShown, CALM_MS } from "../mixer/mixer-meters.ts";

/** The latest values of a meter. */
export interface Values {
  /** The values, by their names in the control tree. */
  readonly members: Readonly<Record<string, number>>;
  /** The highest value since the meter has been shown, or since the peaks were reset, in dB. */
  readonly highest: number;
}

/** A board, and its values. */
export interface BridgeBoard {
  readonly board: MeterBoard;
  /** The latest values of the meter of a path; undefined before the first. */
  valuesOf(path: string): Values | undefined;
  /** Forgets the highest values. */
  resetPeaks(): void;
}

/** The board of the page, while the page exists; undefined if meters are not shown. */
export function useBridgeBoard(): BridgeBoard | undefined {
  const [made, setMade] = useState<BridgeBoard>();
  useEffect(() => {
    if (!areMetersShown) return;
    const one = createBridgeBoard();
    setMade(one);
    return one.board.end;
  }, []);
  return made;
}

function createBridgeBoard(): BridgeBoard {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const values = new Map<string, Values>();
  const board = createMeterBoard((path, report) =>
    meters(path, (change) => {
      const { members, highest } = values.get(path) ?? { members: {}, highest: SILENT_DB };
      const now = Array.isArray(change)
        ? { _left: change[0], _right: change[1] ?? change[0] }
        : { ...members, ...(change as Values["members"]) };
      const sides = sidesOf(now);
      values.set(path, { members: now, highest: Math.max(highest, ...sides) });
      report(sides);
    }, isCalm ? { interval: CALM_MS } : {}), isCalm);
  return {
    board,
    valuesOf: (path) => values.get(path),
    resetPeaks() {
      for (const [path, { members }] of values) {
        values.set(path, { members, highest: Math.max(...sidesOf(members)) });
      }
    },
  };
}

/** The bars of a meter; for loudness the momentary and the short-term value. */
function sidesOf({ _left, _right, _levelm, _levels }: Values["members"]): Sides {
  const bars = _levelm === undefined ? [_left, _right] : [_levelm, _levels];
  return bars.map((value = SILENT_DB) => value);
}
