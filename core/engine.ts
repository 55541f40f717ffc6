/**
 * Joins the audio engine to the control tree: the engine acts on what changes, and reports the
 * read-only values that only it knows (meters, gain reductions, readiness).
 *
 * @module
 */
import { changesConfiguration } from "./backup/restored.ts";
import type { Command, Done } from "./command.ts";
import type { Console } from "./console.ts";
import { withoutLists } from "./lists/branch.ts";
import type { Engine } from "./ports.ts";
import { isSameKind, type LeafRule, overlap } from "./tree/fit.ts";
import { mayHaveMeters, splitMeters } from "./tree/meters.ts";
import type { Branch, Leaf, Patch } from "./tree/tree.ts";
import { metersMoved, volatileChange } from "./tree/treechanged.ts";
import { DEVICE } from "./users/user.ts";

/** Stands in where there is no audio engine: nothing sounds, and every meter stays at -125 dB. */
export const silence: Engine = { apply() {}, start() {} };

/**
 * Joins an engine to a console. A report is taken for read-only members (`_…`, lists) that the tree
 * has, each of the type it had; the rest of it is ignored, and so is what it says of external
 * lists, of which no engine knows. Reports never touch the medium. Before meters are read the
 * engine is asked to bring them up to date.
 */
export function joinEngine(console: Console, engine: Engine): void {
  console.watch((event, { tree }) => {
    if (event.type === "treechanged") engine.apply(event.patch);
    // Another configuration makes another console: the engine is told of all of it.
    else if (changesConfiguration(event)) {
      const { range: _, ...live } = tree;
      engine.apply(live as unknown as Patch);
    }
  });
  engine.start((report) => console.dispatch(engineReport(report), DEVICE));
  console.beforeReading((path) => {
    if (mayHaveMeters(path)) engine.refresh?.();
  });
}

function engineReport(report: Patch): Command<Done> {
  return ({ tree }) => {
    const taken = overlap(tree, {}, withoutLists(report) as Branch, reportedLeaf);
    const { meters, rest } = splitMeters(taken ?? {});
    return {
      events: [...volatileChange(rest), ...metersMoved(meters)],
      result: {},
      waitsFor: changesConfiguration,
    };
  };
}

/**
 * A report is taken for a read-only value where it is of the kind in force, and differs from it.
 */
const reportedLeaf: LeafRule = (current, value, member) => {
  if (!member.startsWith("_")) return undefined;
  if (!Array.isArray(current) || !Array.isArray(value)) {
    return isSameKind(current, value) && !Number.isNaN(value) ? value as Leaf : undefined;
  }
  const kinds = new Set(current.map((item) => typeof item));
  const fits = value.every((item) => kinds.has(typeof item) && !Number.isNaN(item));
  const differs = value.length !== current.length ||
    value.some((item, index) => item !== current[index]);
  return fits && differs ? value : undefined;
};
