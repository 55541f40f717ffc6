/**
 * Reports of engines: values that only an engine knows, such as meters, gain reductions and
 * readiness (docs/engine.md).
 *
 * @module
 */
import { changesConfiguration } from "../backup/restored.ts";
import type { Command } from "../command.ts";
import { LABEL_LENGTH, METER_RANGE } from "../limits.ts";
import { ALL_METERS, splitMeters } from "../tree/meters.ts";
import { type Parts, partsBelow } from "../tree/parts.ts";
import {
  type Branch,
  isBranch,
  isSameLeaf,
  type Leaf,
  type Patch,
  type Path,
  type Tree,
} from "../tree/tree.ts";
import { metersMoved, volatileChange } from "../tree/treechanged.ts";
import { isAll, pathsBelow } from "./paths-below.ts";

/** The result of a report, in numbers of leaves of the tree; a list counts as one leaf. */
export interface Reported {
  /** Number of accepted leaves, whether or not they differ from before. */
  readonly taken: number;
  /** Number of dropped leaves, which do not fit; absent if there are none. */
  readonly dropped?: number;
}

/**
 * The members that an engine may report, at any path (docs/engine.md). The console sets all others.
 */
const REPORTED: ReadonlySet<string> = new Set([
  "_input",
  "_pfl",
  "_afl",
  "_gainreduction",
  "_left",
  "_right",
  "_correlation",
  "_leveli",
  "_levelm",
  "_levelo",
  "_levels",
  "_levelu",
  "_maxm",
  "_maxpeak",
  "_maxs",
  "_peak",
  "_readystate",
  "_faderstart",
  "_poolavailable",
  "_usecleanfeed",
  "_active",
  "_sync2ok",
  "_syncsource",
  "_systemfrequency",
  "_state",
  "_temperature",
  "_rxload",
  "_txload",
  "_clockoffset",
]);

/** Numbers of leaves accepted and dropped so far. */
interface Count {
  taken: number;
  dropped: number;
}

/**
 * Applies a report of the engine that has claimed `paths`. It accepts the members of {@linkcode
 * REPORTED} at and below these paths whose value has the type of the value in force: a finite
 * number, a text no longer than a label, a list of the same length; meters have to be within
 * {@linkcode METER_RANGE}. The other leaves are dropped.
 */
export function takeReport(report: Branch, paths: readonly Path[]): Command<Reported> {
  return ({ tree }) => {
    const count = { taken: 0, dropped: 0 };
    const { meters, rest } = splitMeters(fitting(tree, report, paths, ALL_METERS, count) ?? {});
    return {
      events: [...volatileChange(rest), ...metersMoved(meters)],
      result: counted(count),
      waitsFor: changesConfiguration,
    };
  };
}

function counted({ taken, dropped }: Count): Reported {
  return dropped === 0 ? { taken } : { taken, dropped };
}

/**
 * Returns the part of a report that fits and differs from the tree in force. `paths` and the table
 * of `meters` are relative to that part.
 */
function fitting(
  node: Branch,
  report: Branch,
  paths: readonly Path[],
  meters: Parts | undefined,
  count: Count,
): Patch | undefined {
  let patch: Record<string, Patch[string]> | undefined;
  for (const member of Object.keys(report)) {
    const value = report[member]!;
    const inside = pathsBelow(paths, member);
    const table = partsBelow(meters, member);
    const current = Object.hasOwn(node, member) ? node[member]! : undefined;
    let taken: Patch[string] | undefined;
    if (isBranch(current) && isBranch(value)) taken = fitting(current, value, inside, table, count);
    else if (isAll(inside) && fits(current, value, member) && (table !== true || isLevel(value))) {
      count.taken++;
      if (!isSameLeaf(current, value)) taken = value as Leaf;
    } else count.dropped += leavesIn(value);
    if (taken !== undefined) (patch ??= {})[member] = taken;
  }
  return patch;
}

/** Says whether a value may replace the one in force, which may be undefined. */
function fits(current: Tree | undefined, value: Tree, member: string): boolean {
  if (!REPORTED.has(member)) return false;
  if (!Array.isArray(current)) return isLike(current, value);
  return Array.isArray(value) && value.length === current.length &&
    value.every((item, index) => isLike(current[index], item));
}

/** Says whether a value, or each item of a list, is a level that a meter may have. */
function isLevel(value: Tree): boolean {
  if (Array.isArray(value)) return value.every(isLevel);
  return typeof value !== "number" || value >= METER_RANGE.min && value <= METER_RANGE.max;
}

function isLike(current: Tree | undefined, value: Tree): boolean {
  if (typeof current !== typeof value) return false;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value === "string") return value.length <= LABEL_LENGTH.max;
  return typeof value === "boolean";
}

/** Counts the leaves of a report; a list counts as one leaf. */
function leavesIn(value: Tree): number {
  if (!isBranch(value)) return 1;
  return Object.keys(value).reduce((sum, member) => sum + leavesIn(value[member]!), 0);
}
