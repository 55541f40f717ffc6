/**
 * The meters of the mixer page: those of its faders, and the levels of the console.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { meters } from "../../state/live.ts";
import { createMeterBoard, type MeterBoard } from "../../parts/meters/board.ts";

/** Whether meters are shown: `?meters=0` turns them off, and then nothing of them is sent. */
export const areMetersShown = new URLSearchParams(location.search).get("meters") !== "0";

/** Interval of meters in ms for users who want no motion. */
const CALM_MS = 250;

/** The board of a mixer, as long as its page is there; undefined where meters are not shown. */
export function useMixerMeters(mixer: number): MeterBoard | undefined {
  const [board, setBoard] = useState<MeterBoard>();
  useEffect(() => {
    if (!areMetersShown) return;
    const made = boardOf(mixer);
    setBoard(made);
    return made.end;
  }, [mixer]);
  return board;
}

function boardOf(mixer: number): MeterBoard {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const interval = isCalm ? CALM_MS : undefined;
  /** What is known of each level: a change has the side alone that is another. */
  const sidesOf = new Map<string, readonly number[]>();
  const board = createMeterBoard(() => {
    // The page follows the same path: so it is subscribed to once, and each change comes once.
    const stopFaders = meters(`/audio/mixers/${mixer}`, ({ faders = {} }) => {
      for (const fader in faders) {
        const sides = faders[fader]!.meter?._input;
        if (Array.isArray(sides)) board.report(faderMeter(Number(fader)), sides);
      }
    }, interval);
    const stopLevels = meters("/audio/levels", (levels) => {
      for (const id in levels) {
        const { _left, _right } = levels[id]!;
        const before = sidesOf.get(id) ?? [-125, -125];
        sidesOf.set(id, [_left ?? before[0]!, _right ?? before[1]!]);
        board.report(levelMeter(Number(id)), sidesOf.get(id)!);
      }
    }, interval);
    return () => {
      stopFaders();
      stopLevels();
    };
  }, isCalm);
  return board;
}

/** The name of a fader's meter on the board. */
export function faderMeter(fader: number): string {
  return `fader ${fader}`;
}

/** The name of a level of the console on the board. */
export function levelMeter(id: number): string {
  return `level ${id}`;
}
