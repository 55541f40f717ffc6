/**
 * Carries out the RPC `getundolist` (an addition to the specification).
 *
 * @module
 */
import type { State } from "../state.ts";
import { formatPath, isBranch, type Patch, type Path } from "../tree/tree.ts";
import type { Actor } from "../users/user.ts";
import { isWritable, type UndoStep } from "./step.ts";
import { type ChangedValue, previewOf } from "./undo.ts";

/** A step that can be undone. */
export interface UndoListEntry {
  readonly step: number;
  /** Time at which the step came into force, in ISO 8601 and UTC. */
  readonly at: string;
  readonly user?: string;
  readonly what: string;
  readonly subject?: string;
  /** The path of the branch that has all of its values; absent from a step that is too large. */
  readonly path?: string;
  /** The name of its value in that branch; only of a step of one value. */
  readonly member?: string;
  /** The number of values. */
  readonly values: number;
  /** The values; only if the step was asked for. */
  readonly preview?: readonly ChangedValue[];
}

/** Describes steps, the newest first. */
export function undoList(steps: readonly UndoStep[]): readonly UndoListEntry[] {
  return steps.map(entryOf).reverse();
}

/** Describes a step with its values, for the actor who would undo it. */
export function undoPreview(state: State, step: UndoStep, actor: Actor): UndoListEntry {
  return { ...entryOf(step), preview: previewOf(state, step, actor) };
}

function entryOf({ id, at, user, what, subject, values, changed }: UndoStep): UndoListEntry {
  return {
    step: id,
    at: new Date(at).toISOString(),
    ...(user === undefined ? {} : { user: user.name }),
    what,
    ...(subject === undefined ? {} : { subject }),
    ...(changed === undefined ? {} : placeOf(changed.put)),
    values,
  };
}

/**
 * Returns the path of the innermost branch that has all writable values of a patch, and the member
 * of the value if it is the only one.
 */
function placeOf(patch: Patch, above: Path = []): Pick<UndoListEntry, "path" | "member"> {
  const members = Object.keys(patch).filter((member) => hasWritable(member, patch[member]!));
  const [member] = members as [string];
  const path = formatPath(above);
  if (members.length !== 1) return { path };
  return isBranch(patch[member])
    ? placeOf(patch[member] as Patch, [...above, member])
    : { path, member };
}

function hasWritable(member: string, value: Patch[string]): boolean {
  if (!isBranch(value)) return isWritable(member);
  return Object.keys(value).some((inner) => hasWritable(inner, (value as Patch)[inner]!));
}
