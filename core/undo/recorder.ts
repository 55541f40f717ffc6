/**
 * Keeps the last steps that can be undone, in memory: a restart forgets them.
 *
 * @module
 */
import { changesConfiguration } from "../backup/restored.ts";
import type { ConsoleEvent } from "../events.ts";
import { UNDO_MERGE_MS, UNDO_STEPS, UNDO_VALUES } from "../limits.ts";
import type { Clock } from "../ports.ts";
import type { State } from "../state.ts";
import type { Branch, Patch } from "../tree/tree.ts";
import type { Actor } from "../users/user.ts";
import {
  type Counts,
  goesOn,
  hasSameValues,
  overlaps,
  undoablePatch,
  type UndoStep,
  valuesBefore,
} from "./step.ts";

/** A change of a command: an event, and the state before it. */
interface ChangeStep {
  readonly event: ConsoleEvent;
  readonly before: State;
}

/** Keeps the last steps. */
export interface UndoRecorder {
  /** The steps, the oldest first. */
  readonly steps: readonly UndoStep[];
  /**
   * Adds the changes by a command of an actor, once they are in force. `subject` is the subject of
   * the change, such as the name of a snapshot. An actor without a `call` makes no step.
   */
  changed(actor: Actor, changes: readonly ChangeStep[], subject?: string): void;
}

/** A step, and the client that made it. */
interface Recorded extends UndoStep {
  readonly actor: Actor;
  /** The number of all values that it holds. */
  readonly size: number;
}

/**
 * Makes a recorder without steps. It keeps {@linkcode UNDO_STEPS} steps with {@linkcode
 * UNDO_VALUES} values in all; older ones are forgotten. A step with more values than that is kept
 * without its values. Sets of one client that change the same numbers within {@linkcode
 * UNDO_MERGE_MS} of each other, with no other change of these values in between, are one step, such
 * as the movement of a fader; they are no step if the values are back where they began. Another
 * configuration has other resources, so it makes the recorder forget all steps.
 */
export function createUndoRecorder(clock: Pick<Clock, "now">): UndoRecorder {
  let steps: Recorded[] = [];
  let held = 0;
  let lastId = 0;

  function add(step: Recorded): void {
    steps.push(step);
    held += step.size;
    while (steps.length > UNDO_STEPS || held > UNDO_VALUES) held -= steps.shift()!.size;
  }

  /** Returns the index of the step that a set continues; -1 if there is none. */
  function begun(actor: Actor, patch: Patch, tree: Branch, now: number): number {
    for (let index = steps.length - 1; index >= 0; index--) {
      const { at, what, changed, actor: before, size } = steps[index]!;
      // After the clock was set back, the time of a step is in the future.
      if (Math.abs(now - at) > UNDO_MERGE_MS || changed === undefined) return -1;
      const isMeant = what === "set" && isSame(before, actor);
      if (isMeant && goesOn(changed.put, patch, tree) === size) return index;
      // A change in between has changed these values, too.
      if (overlaps(changed.put, patch)) return -1;
    }
    return -1;
  }

  return {
    get steps() {
      return steps;
    },
    changed(actor, changes, subject) {
      for (const { event, before } of changes) {
        if (changesConfiguration(event)) {
          steps = [];
          held = 0;
        }
        const { call } = actor;
        const put = call && undoablePatch(event);
        if (!put) continue;
        const at = clock.now();
        const index = call === "set" ? begun(actor, put, before.tree, at) : -1;
        if (index !== -1) {
          const step = steps.splice(index, 1)[0]!;
          const { was } = step.changed!;
          held -= step.size;
          // A fader that is moved and put back has changed nothing.
          if (!hasSameValues(was, put)) add({ ...step, at, changed: { was, put } });
          continue;
        }
        const counts: Counts = { all: 0, writable: 0 };
        const was = valuesBefore(before, put, counts);
        if (counts.writable === 0) continue;
        const isTooLarge = counts.all > UNDO_VALUES;
        add({
          id: ++lastId,
          configuration: before.configuration,
          at,
          user: actor.user,
          what: call!,
          subject,
          fade: event.type === "fadestarted" ? event : undefined,
          values: counts.writable,
          changed: isTooLarge ? undefined : { was, put },
          actor,
          size: isTooLarge ? 0 : counts.all,
        });
      }
    },
  };
}

/** Says whether two calls came from the same user by the same connection, or address. */
function isSame(one: Actor, other: Actor): boolean {
  return one.connection === other.connection && one.address === other.address &&
    one.user?.name === other.user?.name;
}
