/**
 * Undoes a step, or shows beforehand what that would change.
 *
 * @module
 */
import type { Command } from "../command.ts";
import { type Refusal, refuse } from "../errors.ts";
import { faderKey, withUnsyncedFaders } from "../fades/unsynced.ts";
import { UNDO_STEPS, UNDO_VALUES } from "../limits.ts";
import type { State } from "../state.ts";
import { OPERATED } from "../tree/operated.ts";
import { type Parts, partsBelow } from "../tree/parts.ts";
import { faderPath } from "../tree/resources.ts";
import {
  type Branch,
  find,
  formatPath,
  isBranch,
  isSameLeaf,
  type Leaf,
  type Patch,
  type Path,
  type Tree,
  unlessEmpty,
} from "../tree/tree.ts";
import { changeBack } from "../tree/treechanged.ts";
import { mayRefusal } from "../users/may.ts";
import type { Actor, May } from "../users/user.ts";
import { standingOf } from "./standing.ts";
import { isWritable, type UndoStep } from "./step.ts";

/** A value that clients can write. */
type Value = number | boolean | string;

/** A value that a step changed. */
export interface ChangedValue {
  readonly path: string;
  /** The value before the step. */
  readonly was: Value;
  /** The value that the step put there. */
  readonly put: Value;
  /** The value in force. */
  readonly now: Value;
  /** Whether something else changed it after the step, so that `undo` leaves it as it is. */
  readonly changed: boolean;
  /** The right that the actor needs to put it back. */
  readonly needs: Extract<May, "operate" | "configure">;
}

/** The result of an undo. */
export interface Undone {
  /** The number of values that were put back. */
  readonly restored: number;
  /** The values that stay as they are, because something else changed them after the step. */
  readonly left: readonly Omit<ChangedValue, "changed" | "needs">[];
}

/** Finds a step by its number; refuses (6) a step that is not kept, or not any more. */
export function findStep(steps: readonly UndoStep[], id: number): UndoStep | Refusal {
  const step = steps.find((one) => one.id === id);
  return step ?? noStep(id);
}

function noStep(id: number): Refusal {
  const kept = `the console keeps the last ${UNDO_STEPS}`;
  return refuse("noSuchObject", `there is no step ${id}; ${kept}`, "step");
}

/**
 * Lists the values of a step that clients can write, each with the right that an actor needs to put
 * it back; none for a step that is too large.
 */
export function previewOf(state: State, step: UndoStep, actor: Actor): readonly ChangedValue[] {
  const preview: ChangedValue[] = [];
  if (step.changed === undefined) return preview;
  const goal = goalIn(state, step);
  const isOfActor = isOwn(step, actor);
  collect([], state.tree, step.changed.was, step.changed.put, OPERATED);
  return preview;

  function collect(
    path: Path,
    node: Tree,
    was: Patch,
    put: Patch,
    settable: Parts | undefined,
  ): void {
    for (const member of Object.keys(was)) {
      const now = (node as Branch)[member]!;
      const before = was[member]!;
      const below = partsBelow(settable, member);
      if (isBranch(before)) {
        collect([...path, member], now, before as Patch, put[member] as Patch, below);
      } else if (isWritable(member)) {
        const after = put[member] as Value;
        const standing = standingOf(now, before as Leaf, after, goal);
        const isAllowed = below === true || (isOfActor && standing === "put");
        preview.push({
          path: formatPath([...path, member]),
          was: before as Value,
          put: after,
          now: now as Value,
          changed: standing === "changed",
          needs: isAllowed ? "operate" : "configure",
        });
      }
    }
  }
}

/**
 * Undoes a step: each value that is still as the step put it gets its value before the step. Values
 * that something else changed after the step stay, unless `force` is true. Labels follow their
 * channels as with a `set`. Refused: a step with too many values (11); a value that the user may
 * not set (5), unless that user's own step put it there and it still holds.
 */
export function undo(step: UndoStep, force: boolean): Command<Undone> {
  return (state, actor) => {
    // Another configuration is being stored; once in force, it makes the recorder forget all steps.
    if (step.configuration !== state.configuration) return noStep(step.id);
    if (step.changed === undefined) {
      const sentence = `step ${step.id} changed too much to be undone: over ${UNDO_VALUES} values`;
      return refuse("limitReached", sentence, "step");
    }
    const { tree, unsynced } = state;
    const { was, put } = step.changed;
    const holding = restorableValues(tree, was, put, goalIn(state, step)) ?? {};
    const written = force ? was : holding;
    const patch = withUnsyncedFaders(unsynced, written, differingPart(tree, written)) ?? {};
    const beyond = firstBeyond(patch, OPERATED, isOwn(step, actor) ? holding : undefined);
    const refusal = beyond &&
      mayRefusal(state.configuration, actor, "configure", formatPath(beyond));
    if (refusal !== undefined) return refusal;
    const events = changeBack(state, patch);
    const [event] = events;
    return {
      events,
      result: {
        restored: event === undefined ? 0 : writableIn(event.patch),
        left: force ? [] : leftBy(state, step, actor),
      },
      subject: nameOf(step),
    };
  };
}

/** Names a step in the audit trail: `loadsnapshot Morning by anna`. */
function nameOf({ what, subject, user }: UndoStep): string {
  return [what, subject, user && `by ${user.name}`].filter((word) => word !== undefined).join(" ");
}

/**
 * Users may undo their own steps, even if they have lost the right to set the values. A later user
 * of the same name is another one.
 */
function isOwn({ user }: UndoStep, actor: Actor): boolean {
  return user !== undefined && user.name === actor.user?.name &&
    user.created === actor.user.created;
}

function leftBy(state: State, step: UndoStep, actor: Actor): Undone["left"] {
  return previewOf(state, step, actor)
    .filter(({ changed }) => changed)
    .map(({ path, was, put, now }) => ({ path, was, put, now }));
}

/** Returns the level in dB to which the fader of a step still fades; undefined if it does not. */
function goalIn({ tree, unsynced }: State, { fade }: UndoStep): Leaf | undefined {
  const isMoving = fade !== undefined && unsynced.get(faderKey(fade)) === true;
  return isMoving ? find(tree, [...faderPath(fade), "fade", "_to"]) as Leaf : undefined;
}

/**
 * Returns the values before a step of the leaves that are still as the step put them; undefined if
 * there are none.
 */
function restorableValues(
  node: Tree,
  was: Patch,
  put: Patch,
  goal: Leaf | undefined,
): Patch | undefined {
  const values: Record<string, Patch[string]> = {};
  for (const member of Object.keys(was)) {
    const now = (node as Branch)[member]!;
    const before = was[member]!;
    const after = put[member]!;
    if (isBranch(before)) {
      const below = restorableValues(now, before as Patch, after as Patch, goal);
      if (below !== undefined) values[member] = below;
    } else if (standingOf(now, before as Leaf, after as Leaf, goal) === "put") {
      values[member] = before;
    }
  }
  return unlessEmpty(values);
}

/** Returns the values of a patch that differ from a tree; undefined if none does. */
function differingPart(node: Tree, patch: Patch): Patch | undefined {
  const values: Record<string, Patch[string]> = {};
  for (const member of Object.keys(patch)) {
    const now = (node as Branch)[member]!;
    const value = patch[member]!;
    if (isBranch(value)) {
      const below = differingPart(now, value as Patch);
      if (below !== undefined) values[member] = below;
    } else if (!isSameLeaf(now, value)) {
      values[member] = value;
    }
  }
  return unlessEmpty(values);
}

/**
 * Returns the path of the first writable value of a patch that is neither settable nor in the patch
 * of allowed values.
 */
function firstBeyond(
  patch: Patch,
  settable: Parts | undefined,
  allowed: Patch | undefined,
  above: Path = [],
): Path | undefined {
  for (const member of Object.keys(patch)) {
    const value = patch[member]!;
    const path = [...above, member];
    const below = partsBelow(settable, member);
    if (isBranch(value)) {
      const beyond = firstBeyond(value as Patch, below, allowed?.[member] as Patch, path);
      if (beyond !== undefined) return beyond;
    } else if (below !== true && isWritable(member) && allowed?.[member] === undefined) {
      return path;
    }
  }
}

function writableIn(patch: Patch): number {
  return Object.keys(patch).reduce((count, member) => {
    const value = patch[member]!;
    return count + (isBranch(value) ? writableIn(value as Patch) : isWritable(member) ? 1 : 0);
  }, 0);
}
