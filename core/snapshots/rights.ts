/**
 * The rights to load, change and make snapshots (decisions.md, "Users").
 *
 * @module
 */
import { type Refusal, refuse } from "../errors.ts";
import { ALL_GROUPS, groupNumbers } from "../users/groups.ts";
import type { Actor } from "../users/user.ts";
import { DEFAULT_ID, type Snapshot } from "./snapshot.ts";

/**
 * Returns undefined when the actor may load a snapshot: its `readgroups` are 0, or the user is in
 * one of its read or write groups.
 */
export function loadRefusal(
  { name, readgroups, writegroups }: Snapshot,
  actor: Actor,
): Refusal | undefined {
  return readgroups === 0
    ? undefined
    : groupRefusal(actor, readgroups | writegroups, `load snapshot "${name}"`);
}

/**
 * Returns undefined when the actor may overwrite, modify or remove a snapshot: the user is in one
 * of its write groups, or an admin.
 */
export function changeRefusal(
  { name, writegroups, factory }: Snapshot,
  actor: Actor,
): Refusal | undefined {
  if (factory) return refuse("readOnly", `snapshot "${name}" is a factory snapshot`);
  return actor.user?.admin === true
    ? undefined
    : groupRefusal(actor, writegroups, `change snapshot "${name}"`);
}

/** Refuses an actor who is not logged in (4) or in none of the groups (5). */
function groupRefusal(
  { user, isDevice }: Actor,
  groups: number,
  what: string,
): Refusal | undefined {
  if (isDevice === true) return undefined;
  if (user === undefined) return refuse("notLoggedIn", `log in to ${what}`, "token");
  return (user.groups & groups) !== 0
    ? undefined
    : refuse("noRight", `user ${user.name} is in no group that may ${what}`);
}

/**
 * Returns undefined when the actor may make a snapshot or save a default one: any user who is in a
 * group may, and the device itself.
 */
export function createRefusal(actor: Actor): Refusal | undefined {
  return groupRefusal(actor, ALL_GROUPS, "save snapshots");
}

/**
 * Refuses (5) write groups of which the user is in none: the user could not change the snapshot
 * again, and has no right over those groups. An admin may give any.
 */
export function writegroupsRefusal({ user }: Actor, writegroups: number): Refusal | undefined {
  if (user === undefined || user.admin || (user.groups & writegroups) !== 0) return undefined;
  const own = `expected one of the groups of user ${user.name} (${named(user.groups)}) at least`;
  return refuse("noRight", `${own}, got ${writegroups} (${named(writegroups)})`, "writegroups");
}

function named(groups: number): string {
  return groupNumbers(groups).join(", ") || "none";
}

/**
 * Returns undefined if the actor may write a snapshot; `before` is the present one, undefined if
 * there is none yet.
 */
export function writeRefusal(before: Snapshot | undefined, actor: Actor): Refusal | undefined {
  return before === undefined ? createRefusal(actor) : changeRefusal(before, actor);
}

/** Refuses (7) to change snapshot 0, which can only be loaded, saved, fetched and set. */
export function defaultRefusal(id: string): Refusal | undefined {
  return id === DEFAULT_ID
    ? refuse("readOnly", "the default snapshot can only be loaded and saved", "id")
    : undefined;
}
