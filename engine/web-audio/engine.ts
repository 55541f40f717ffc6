/// <reference lib="dom" />
/**
 * The audio engine of a console: it plays what the control tree says, and nothing until it knows
 * the whole of it.
 *
 * @module
 */
import { type Branch, merge, type Patch } from "../../core/tree/tree.ts";
import { createGraph, type Graph } from "./graph.ts";
import { createLateness } from "./lateness.ts";
import { createPlace } from "./place.ts";
import { createStage } from "./stage.ts";
import { createTickGrid } from "./tick-grid.ts";
import type { AudioValues } from "./tree.ts";
import type { Wiring } from "./wiring.ts";

/** An audio engine. {@linkcode createEngine} makes one. */
export interface Engine {
  /**
   * Takes the whole control tree, or its `audio`, and plays it: first, and again whenever changes
   * may have been missed. A console of other faders gets another graph, which fades in while the
   * one before fades out.
   *
   * @throws {RangeError} when the wiring does not fit this console
   */
  whole(tree: Branch): void;
  /**
   * Takes a change of the control tree. Before the whole of it came, it does nothing.
   *
   * @param tick the number of the tick of a fade: faders are then at their new values exactly 20 ms
   *   after they were at those of the tick before
   */
  apply(patch: Patch, tick?: number): void;
  /** Returns what the meters show, as a report; undefined before the whole tree came. */
  meters(): Patch | undefined;
  /** Says whether it renders less sound than time passes; to be asked now and then. */
  isLate(): boolean;
}

/** The delay of a change, in s, since the audio thread renders a little ahead. */
export const AHEAD_SECONDS = 0.005;

/**
 * Makes an engine that plays to the destination of a context. It is silent.
 *
 * @param ahead in place of {@linkcode AHEAD_SECONDS}; 0 where nothing is rendered meanwhile
 */
export function createEngine(
  context: BaseAudioContext,
  wiring: Wiring,
  ahead = AHEAD_SECONDS,
): Engine {
  const stage = createStage(context);
  const place = createPlace(stage, context.destination, undefined);
  const grid = createTickGrid();
  let playing: { readonly graph: Graph; readonly shape: string; tree: Branch } | undefined;

  const soonest = () => context.currentTime + ahead;

  return {
    whole(tree) {
      stage.tidy();
      const shape = shapeOf(tree.audio as unknown as AudioValues);
      if (playing?.shape === shape) {
        playing.tree = tree;
        playing.graph.update(tree, soonest());
        return;
      }
      const graph = createGraph(stage, wiring, tree);
      playing = { graph, shape, tree };
      place.put(graph, soonest());
    },
    apply(patch, tick) {
      stage.tidy();
      if (playing === undefined || patch.audio === undefined) return;
      const when = tick === undefined ? soonest() : grid.timeOf(tick, soonest());
      playing.tree = merge(playing.tree, patch);
      playing.graph.update(playing.tree, when);
    },
    meters() {
      stage.tidy();
      return playing?.graph.meters.read();
    },
    isLate: createLateness(context, () => performance.now()),
  };
}

/** Says what there is in a console, but not what it is set to: two of one shape have one graph. */
function shapeOf({ mixers, flexprocessings, routing, levels, loudness }: AudioValues): string {
  return JSON.stringify([
    Object.entries(mixers).map(([id, { faders, cleanfeeds }]) => [
      id,
      Object.keys(faders),
      Object.keys(cleanfeeds),
    ]),
    Object.keys(flexprocessings),
    Object.keys(routing.inputs),
    Object.keys(routing.outputs),
    Object.entries(levels).map(([id, { _mode }]) => [id, _mode]),
    Object.keys(loudness),
  ]);
}
