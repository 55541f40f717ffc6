/**
 * Who may load, change and make snapshots (decisions.md, "Users").
 *
 * @module
 */
import { type Refusal, refuse } from "../errors.ts";
import type { Actor } from "../users/user.ts";
import { DEFAULT_ID, type Snapshot } from "./snapshot.ts";

/** Undefined when the actor may load it: `readgroups` 0, or a group of its read or write groups. */
export function loadRefusal(
  { name, readgroups, writegroups }: Snapshot,
  actor: Actor,
): Refusal | undefined {
  return readgroups === 0
    ? undefined
    : groupRefusal(actor, readgroups | writegroups, `load snapshot "${name}"`);
}

/** Undefined when the actor may overwrite, modify or remove it: a group of its write groups. */
export function changeRefusal(
  { name, writegroups, factory }: Snapshot,
  actor: Actor,
): Refusal | undefined {
  return factory
    ? refuse("readOnly", `snapshot "${name}" is a factory snapshot`)
    : groupRefusal(actor, writegroups, `change snapshot "${name}"`);
}

/** The refusal of what a user of one of the groups may do: nobody is logged in (4), or is in none (5). */
function groupRefusal({ user }: Actor, groups: number, what: string): Refusal | undefined {
  if (user === undefined) return refuse("notLoggedIn", `log in to ${what}`, "token");
  return (user.groups & groups) !== 0
    ? undefined
    : refuse("noRight", `user ${user.name} is in no group that may ${what}`);
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
