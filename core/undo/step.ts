/**
 * Steps that can be undone: what one call changed, with the values before and after it.
 *
 * @module
 */
import type { Configuration } from "../configuration/configuration.ts";
import type { ConsoleEvent } from "../events.ts";
import { levelsPatch } from "../fades/unsynced.ts";
import type { State } from "../state.ts";
import type { FaderAddress } from "../tree/resources.ts";
import {
  type Branch,
  isBranch,
  isSameLeaf,
  type Leaf,
  type Patch,
  type Tree,
} from "../tree/tree.ts";
import type { User } from "../users/user.ts";

/** The changes of the control tree by one call, or by the sets of one movement. */
export interface UndoStep {
  /** The number of the step, counted from 1 since the start. */
  readonly id: number;
  /** The configuration under which it was made: under another one it cannot be undone. */
  readonly configuration: Configuration;
  /**
   * Time at which the step came into force, in ms since 1970; for several sets, that of the last
   * one.
   */
  readonly at: number;
  /** The user, as of the step; undefined without a login. */
  readonly user: User | undefined;
  /** The call, as its interface names it: `set`, `loadsnapshot`, `fadetovalue`, `undo`. */
  readonly what: string;
  /** The subject of the change, such as the name of the loaded snapshot. */
  readonly subject: string | undefined;
  /** The fader that a fade moves; its level after the step is where the fade goes. */
  readonly fade: FaderAddress | undefined;
  /** The number of changed values that a client can write. */
  readonly values: number;
  /** The values before and after it, nested from the root; undefined if they are too many. */
  readonly changed: ChangedValues | undefined;
}

/** Two patches of the same shape. */
export interface ChangedValues {
  readonly was: Patch;
  readonly put: Patch;
}

/** Counts the values of a change. */
export interface Counts {
  /** All values, also those that follow from others. */
  all: number;
  /** The values that a client can write. */
  writable: number;
}

/**
 * Says whether clients can write a member: a leading underscore marks a member that they can only
 * read.
 */
export function isWritable(member: string): boolean {
  return !member.startsWith("_");
}

/**
 * Returns the values that an event changes for good, or the level to which a fade goes; undefined
 * for any other event: steps of fades, meters, logins, clocks.
 */
export function undoablePatch(event: ConsoleEvent): Patch | undefined {
  if (event.type === "treechanged") return event.kept && event.patch;
  return event.type === "fadestarted" ? levelsPatch([{ ...event, dB: event.value }]) : undefined;
}

/** Returns the values of a tree in the shape of a patch, and adds their number to the counts. */
export function valuesBefore({ tree }: State, patch: Patch, counts: Counts): Patch {
  return valuesOf(tree, patch, counts);
}

function valuesOf(node: Tree, patch: Patch, counts: Counts): Patch {
  const values: Record<string, Patch[string]> = {};
  for (const member of Object.keys(patch)) {
    const value = patch[member]!;
    const before = (node as Branch)[member]!;
    if (isBranch(value)) {
      values[member] = valuesOf(before, value as Patch, counts);
    } else {
      values[member] = before as Leaf;
      counts.all++;
      if (isWritable(member)) counts.writable++;
    }
  }
  return values;
}

/**
 * Counts the values of a patch that goes on with a step: it changes only numbers that the step
 * changed, too, and that still have in the tree `before` the value that the step put; -1 for any
 * other patch. If the count equals the number of values of the step, the patch changes exactly the
 * same values. Only numbers count as moving: a key that is pressed twice, or a text that is typed
 * anew, is two changes, however soon.
 */
export function goesOn(put: Patch, patch: Patch, before: Tree): number {
  let count = 0;
  for (const member of Object.keys(patch)) {
    const value = patch[member]!;
    const earlier = put[member];
    const now = (before as Branch)[member]!;
    if (earlier === undefined || isBranch(value) !== isBranch(earlier)) return -1;
    if (!isBranch(value)) {
      if (typeof value !== "number" || !isSameLeaf(earlier, now)) return -1;
      count++;
      continue;
    }
    const below = goesOn(earlier as Patch, value as Patch, now);
    if (below === -1) return -1;
    count += below;
  }
  return count;
}

/** Says whether two patches of the same shape have the same values. */
export function hasSameValues(one: Patch, other: Patch): boolean {
  return Object.keys(one).every((member) => {
    const value = one[member]!;
    const same = other[member]!;
    return isBranch(value) ? hasSameValues(value as Patch, same as Patch) : isSameLeaf(value, same);
  });
}

/** Says whether two patches have a value in common. */
export function overlaps(one: Patch, other: Patch): boolean {
  for (const member of Object.keys(other)) {
    const value = one[member];
    const same = other[member]!;
    if (value === undefined) continue;
    if (!isBranch(value) || !isBranch(same) || overlaps(value as Patch, same as Patch)) return true;
  }
  return false;
}
