/**
 * The parameters that several RPC methods share. The message of a schema says what was expected,
 * and stands in the error when something else comes.
 *
 * @module
 */
import * as v from "valibot";
import { READGROUPS, WRITEGROUPS } from "../../core/limits.ts";
import { EXPIRES_FORM } from "../../core/users/expiry.ts";
import { ALL_GROUPS } from "../../core/users/groups.ts";
import { MAY } from "../../core/users/user.ts";
import { integer } from "../parameters.ts";

/** Describes the number of something that the configuration names. */
export function resource(description: string) {
  return integer(description, { min: 0 });
}

/** The virtual mixer, by default 0. */
export const mixer = v.optional(resource("virtual mixer"), 0);

/** 1 channel, 2 mixer, 3 processing. */
export const snapshotType = v.pipe(
  v.picklist([1, 2, 3], "1, 2 or 3"),
  v.description("1 channel, 2 mixer, 3 processing snapshot"),
);

/**
 * For the published schema: what a `type` needs beside it. The console itself refuses its absence
 * (3), for it knows the type also where it is not given.
 */
export const needsTarget = { allOf: [needs(1, "fader"), needs(3, "fp")] };

function needs(type: number, parameter: string) {
  return {
    if: { properties: { type: { const: type } }, required: ["type"] },
    then: { required: [parameter] },
  };
}

/**
 * Describes the id of a snapshot that exists, or of one that is made where `description` says so.
 */
export function snapshotId(description: string) {
  return v.pipe(v.string("a string"), v.description(description));
}

/** Bitmask of the groups that may load and modify. */
export const writegroups = integer(
  "bitmask of the user groups that may load and modify",
  WRITEGROUPS,
);

/** Bitmask of the groups that may load; 0 is everyone. */
export const readgroups = integer(
  "bitmask of the user groups that may load; 0 is everyone",
  READGROUPS,
);

/** The number of an external list. */
export const list = resource("external list");

/** The name of a user who is there. */
export const userName = v.pipe(v.string("a string"), v.description("name of a user"));

/** Bitmask of the groups that a user is in. */
export const userGroups = integer(
  "bitmask of the groups that the user is in",
  { min: 0, max: ALL_GROUPS },
);

/** Describes a parameter that says whether something is so. */
export function flag(description: string) {
  return v.pipe(v.boolean("true or false"), v.description(description));
}

/** Whether a user is an admin. */
export const isAdmin = flag("may back up, restore and change users");

/** What a user may do. */
export const may = v.pipe(
  v.picklist(MAY, "view, operate or configure"),
  v.description("what the user may do; an admin may configure in any case"),
);

/** When the token of a user expires. */
export const expires = v.pipe(
  v.string(EXPIRES_FORM),
  v.description(`when the token expires: ${EXPIRES_FORM}`),
);

/** Whether a user is an audio engine. */
export const isEngine = flag("is an audio engine, and may report meters");
