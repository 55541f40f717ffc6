/**
 * Meters are values that only an engine knows and that change all the time: levels, loudness, gain
 * reductions. Most clients do without, so only subscribers that ask for meters are told of them
 * (`transport/websocket/meter-feed.ts`).
 *
 * @module
 */
import { type Parts, partsBelow, type PartsBranch } from "./parts.ts";
import {
  type Branch,
  isBranch,
  isSameLeaf,
  nest,
  type Patch,
  type Path,
  type Tree,
  unlessEmpty,
} from "./tree.ts";

const params: PartsBranch = { "*": { _gainreduction: true } };

const busparams: PartsBranch = { automix: { _gainreduction: true } };

/** The places of meters in the control tree. */
export const ALL_METERS: PartsBranch = {
  audio: {
    levels: true,
    loudness: true,
    flexprocessings: { "*": { params } },
    mixers: { "*": { faders: { "*": { meter: true, params, busparams } } } },
  },
};

/**
 * Returns the part of the table at a path: `true` at and below meters, undefined where none are.
 */
function metersAt(path: Path): Parts | undefined {
  return path.reduce<Parts | undefined>(partsBelow, ALL_METERS);
}

/** Says whether a path names meters or lies inside them: `/audio/levels/1` does. */
export function namesMeters(path: Path): boolean {
  return metersAt(path) === true;
}

/** Says whether there may be meters at, above or below a path: `/audio/mixers/0` has some. */
export function mayHaveMeters(path: Path): boolean {
  return metersAt(path) !== undefined;
}

/** A patch in two parts: meters, and the rest; each undefined if empty. */
export interface SplitPatch {
  readonly meters: Patch | undefined;
  readonly rest: Patch | undefined;
}

/** Splits a patch, nested from the root, into meters and everything else. */
export function splitMeters(patch: Patch): SplitPatch {
  return split(patch, ALL_METERS);
}

function split(patch: Patch, table: PartsBranch): SplitPatch {
  const meters: Record<string, Patch[string]> = {};
  const rest: Record<string, Patch[string]> = {};
  for (const member of Object.keys(patch)) {
    const value = patch[member]!;
    const inside = partsBelow(table, member);
    if (inside === true) meters[member] = value;
    else if (inside === undefined || !isBranch(value)) rest[member] = value;
    else {
      const parts = split(value as Patch, inside);
      if (parts.meters !== undefined) meters[member] = parts.meters;
      if (parts.rest !== undefined) rest[member] = parts.rest;
    }
  }
  return { meters: unlessEmpty(meters), rest: unlessEmpty(rest) };
}

/**
 * Returns the meters at and below a path that differ between the value there `before` and the value
 * `after`, nested from the root; undefined where none do. Branches that both share cost nothing.
 */
export function metersThatDiffer(
  before: Tree | undefined,
  after: Tree | undefined,
  path: Path,
): Patch | undefined {
  const table = metersAt(path);
  if (table === undefined || after === undefined) return undefined;
  const differing = difference(before, after, table);
  return differing === undefined ? undefined : nest(path, differing) as Patch;
}

function difference(
  was: Tree | undefined,
  is: Tree,
  table: Parts,
): Patch[string] | undefined {
  if (is === was) return undefined;
  if (!isBranch(is)) return table === true && !isSameLeaf(was, is) ? is : undefined;
  const differing: Record<string, Patch[string]> = {};
  const before = isBranch(was) ? was : {};
  for (const member of membersIn(is, table)) {
    const inside = partsBelow(table, member);
    if (inside === undefined || !Object.hasOwn(is, member)) continue;
    const one = difference(before[member], is[member]!, inside);
    if (one !== undefined) differing[member] = one;
  }
  return unlessEmpty(differing);
}

/** Returns the members that may have meters: only those in the table, unless it has a wildcard. */
function membersIn(is: Branch, table: Parts): readonly string[] {
  return table === true || "*" in table ? Object.keys(is) : Object.keys(table);
}
