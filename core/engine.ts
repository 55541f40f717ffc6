/**
 * The audio engine's side of the control tree: it acts on what changes, and reports the read-only
 * values that only it knows (meters, gain reductions, readiness).
 *
 * @module
 */
import { volatileChange } from "./tree/treechanged.ts";
import { changesConfiguration } from "./backup/restored.ts";
import type { Command, Done } from "./command.ts";
import type { Console } from "./console.ts";
import { withoutLists } from "./lists/branch.ts";
import type { Engine } from "./ports.ts";
import { type Branch, isBranch, type Patch, type Tree } from "./tree/tree.ts";
import { DEVICE } from "./users/user.ts";

/** No engine: nothing sounds, and every meter stays at -125 dB. */
export const silence: Engine = { apply() {}, start() {} };

/**
 * Joins an engine to a console. A report is taken for read-only members (`_…`, lists) that the tree
 * has, each of the type it had; the rest of it is ignored, and what it says of external lists, of
 * which no engine knows. Reports never touch the medium.
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
}

function engineReport(report: Patch): Command<Done> {
  return (state) => {
    const patch = reported(state.tree, withoutLists(report));
    return {
      events: patch === undefined ? [] : [volatileChange(patch)],
      result: {},
      waitsFor: changesConfiguration,
    };
  };
}

function reported(node: Branch, report: Patch): Patch | undefined {
  const taken: Record<string, Patch[string]> = {};
  for (const [member, value] of Object.entries(report)) {
    const current = Object.hasOwn(node, member) ? node[member] : undefined;
    if (isBranch(current) && isBranch(value)) {
      const inner = reported(current, value as Patch);
      if (inner !== undefined) taken[member] = inner;
    } else if (member.startsWith("_") && isReport(current, value)) {
      taken[member] = value;
    }
  }
  return Object.keys(taken).length > 0 ? taken : undefined;
}

/** Whether a value is of the kind in force, and another one. */
function isReport(current: Tree | undefined, value: Patch[string]): boolean {
  if (Array.isArray(current) && Array.isArray(value)) {
    const kinds = new Set(current.map((item) => typeof item));
    const fits = value.every((item) => kinds.has(typeof item) && !Number.isNaN(item));
    const differs = value.length !== current.length ||
      value.some((item, index) => item !== current[index]);
    return fits && differs;
  }
  return typeof current === typeof value && typeof value !== "object" && value !== current &&
    !Number.isNaN(value);
}
