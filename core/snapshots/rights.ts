/**
 * Who may load, change and make snapshots (decisions.md, "Users").
 *
 * @module
 */
import { type Refusal, refuse } from "../errors.ts";
import type { Actor } from "../users/user.ts";
import { DEFAULT_ID, type Snapshot } from "./snapshot.ts";

/** Undefined when the actor may load it: `readgroups` 0, or a group of its read or write groups. */
export function loadRefusal(snapshot: Snapshot, { user }: Actor): Refusal | undefined {
  const { name, readgroups, writegroups } = snapshot;
  if (readgroups === 0) return undefined;
  if (user === undefined) {
    return refuse("notLoggedIn", `log in to load snapshot "${name}"`, "token");
  }
  return (user.groups & (readgroups | writegroups)) !== 0
    ? undefined
    : refuse("noRight", `user ${user.name} is in no group that may load snapshot "${name}"`);
}

/** Undefined when the actor may overwrite, modify or remove it: a group of its write groups. */
export function changeRefusal(snapshot: Snapshot, { user }: Actor): Refusal | undefined {
  const { name, writegroups } = snapshot;
  if (snapshot.factory) return refuse("readOnly", `snapshot "${name}" is a factory snapshot`);
  if (user === undefined) {
    return refuse("notLoggedIn", `log in to change snapshot "${name}"`, "token");
  }
  return (user.groups & writegroups) !== 0
    ? undefined
    : refuse("noRight", `user ${user.name} is in no group that may change snapshot "${name}"`);
}

/** Undefined when the actor may make a snapshot or save a default one: any user with a group. */
export function createRefusal({ user }: Actor): Refusal | undefined {
  if (user === undefined) return refuse("notLoggedIn", "log in to save snapshots", "token");
  return user.groups !== 0
    ? undefined
    : refuse("noRight", `user ${user.name} is in no group, so may not save snapshots`);
}

/** Undefined when the actor may write what is `before` a snapshot, or undefined: not there yet. */
export function writeRefusal(before: Snapshot | undefined, actor: Actor): Refusal | undefined {
  return before === undefined ? createRefusal(actor) : changeRefusal(before, actor);
}

/** The refusal of changing snapshot 0, which can only be loaded, saved, fetched and set. */
export function defaultRefusal(id: string): Refusal | undefined {
  return id === DEFAULT_ID
    ? refuse("readOnly", "the default snapshot can only be loaded and saved", "id")
    : undefined;
}
