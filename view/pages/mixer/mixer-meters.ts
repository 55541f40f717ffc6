/**
 * The meters of the mixer page: the meters of its faders, and the levels of the console.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { Change, Level } from "../../../client/client.ts";
import { meters } from "../../state/live.ts";
import type { MeterOptions } from "../../state/meter-feeds.ts";
import { createMeterBoard, type MeterBoard } from "../../parts/meters/board.ts";
import { SILENT } from "../../parts/meters/needle.ts";
import type { Sides } from "../../parts/meters/seen-feeds.ts";

/** Whether meters are shown: `?meters=0` turns them off, and then none are sent. */
export const areMetersShown = new URLSearchParams(location.search).get("meters") !== "0";

/** Interval of meters in ms for users who want no motion. */
export const CALM_MS = 250;

const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The interval of meters that the device wants. */
export function meterOptions(): MeterOptions {
  return isCalm ? { interval: CALM_MS } : {};
}

/** The board of a mixer, while its page exists; undefined if meters are not shown. */
export function useMixerMeters(): MeterBoard | undefined {
  const [board, setBoard] = useState<MeterBoard>();
  useEffect(() => {
    if (!areMetersShown) return;
    const made = boardOf();
    setBoard(made);
    return made.end;
  }, []);
  return board;
}

function boardOf(): MeterBoard {
  return createMeterBoard((name, report) => {
    /** A change of a level of the console has only the side that has changed. */
    let sides: Sides = [SILENT.level, SILENT.level];
    return meters(name, (change) => {
      if (isSides(change)) return report(change);
      const { _left = sides[0]!, _right = sides[1]! } = change as Change<Level>;
      report(sides = [_left, _right]);
    }, meterOptions());
  }, isCalm);
}

function isSides(change: unknown): change is Sides {
  return Array.isArray(change);
}

/** The name on the board of the meter of a fader, which is its path. */
export function faderMeter(mixer: number, fader: number): string {
  return `/audio/mixers/${mixer}/faders/${fader}/meter/_input`;
}

/** The name on the board of a level of the console, which is its path. */
export function levelMeter(id: number): string {
  return `/audio/levels/${id}`;
}
