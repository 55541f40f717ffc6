/**
 * The audio engine of a console: it plays what the control tree says, and nothing until it has the
 * whole tree.
 *
 * @module
 */
import type { Branch, Patch } from "../../core/tree/tree.ts";
import { createLateness } from "./lateness.ts";
import type { Order } from "./renderer.ts";
import { createTickGrid } from "./tick-grid.ts";
import { type AudioValues, busesOf } from "./tree.ts";
import { wiresOf } from "./wires.ts";
import type { Wiring } from "./wiring.ts";

/** An audio engine. {@linkcode createEngine} makes one. */
export interface Engine {
  /**
   * Takes the whole control tree, or its `audio`, and plays it: called first, and again whenever
   * changes may have been missed. If the console now has other resources, such as other faders, its
   * new sound fades in while the old sound fades out.
   *
   * @throws {RangeError} when the wiring does not fit this console
   */
  whole(tree: Branch): void;
  /**
   * Takes a change of the control tree. Does nothing before the whole tree has come.
   *
   * @param tick the number of the tick of a fade: faders then reach their new values exactly 20 ms
   *   after they reached the values of the previous tick
   */
  apply(patch: Patch, tick?: number): void;
  /** Returns the readings of the meters as a report; undefined before the whole tree has come. */
  meters(): Patch | undefined;
  /** Says whether the engine renders more slowly than real time; to be called now and then. */
  isLate(): boolean;
}

/** The renderer of the sound of an engine, maybe in another thread. */
export interface Output {
  /** The length of the sound that was rendered so far, in s. */
  readonly currentTime: number;
  /** The number of channels of the sound device. */
  readonly channels: number;
  obey(order: Order): void;
  /** Returns the last readings of the meters; undefined before it plays a console. */
  meters(): Patch | undefined;
}

/** The delay of a change, in s, since the audio thread renders a little ahead. */
export const AHEAD_SECONDS = 0.005;

/**
 * Makes an engine that plays to an output. It is silent until it has the whole control tree.
 *
 * @param ahead the delay of a change, in s; 0 if nothing is rendered meanwhile
 */
export function createEngine(output: Output, wiring: Wiring, ahead = AHEAD_SECONDS): Engine {
  const grid = createTickGrid();
  let shape: string | undefined;
  const soonest = () => output.currentTime + ahead;

  return {
    whole(tree) {
      const audio = tree.audio as unknown as AudioValues;
      const wires = wiresOf(wiring, audio, output.channels);
      const isSame = shape === (shape = shapeOf(audio));
      output.obey({ audio, wires, isSame, when: soonest() });
    },
    apply(patch, tick) {
      if (shape === undefined || patch.audio === undefined) return;
      const when = tick === undefined ? soonest() : grid.timeOf(tick, soonest());
      output.obey({ patch, when });
    },
    meters: () => output.meters(),
    isLate: createLateness(output, () => performance.now()),
  };
}

/**
 * Describes the resources of a console without their values: equal resources have the same shape.
 */
function shapeOf({ mixers, flexprocessings, routing, levels, loudness }: AudioValues): string {
  return JSON.stringify([
    Object.entries(mixers).map(([id, mixer]) => [
      id,
      Object.keys(mixer.faders),
      busesOf(mixer),
      Object.keys(mixer.cleanfeeds),
    ]),
    Object.keys(flexprocessings),
    Object.keys(routing.inputs),
    Object.keys(routing.outputs),
    Object.entries(levels).map(([id, { _mode }]) => [id, _mode]),
    Object.keys(loudness),
  ]);
}
