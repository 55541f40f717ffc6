/**
 * The parameters that several RPC methods share. The message of a schema says what was expected, and
 * stands in the error when something else comes.
 *
 * @module
 */
import * as v from "valibot";
import { READGROUPS, SNAPSHOT_NAME_LENGTH, WRITEGROUPS } from "../../core/limits.ts";
import { textFault } from "../../core/tree/value.ts";
import { ALL_GROUPS } from "../../core/users/groups.ts";

/** A JSON number without a fraction; "1" is not 1. */
function integer(expected: string, min: number, max = Number.MAX_SAFE_INTEGER) {
  return v.pipe(
    v.number(expected),
    v.safeInteger(expected),
    v.minValue(min, expected),
    v.maxValue(max, expected),
  );
}

/** The number of something that the configuration names. */
export function resource(description: string) {
  return v.pipe(integer("an integer from 0", 0), v.description(description));
}

/** The virtual mixer, by default 0. */
export const mixer = v.optional(resource("virtual mixer"), 0);

/** 1 channel, 2 mixer, 3 processing. */
export const snapshotType = v.pipe(
  v.picklist([1, 2, 3], "1, 2 or 3"),
  v.description("1 channel, 2 mixer, 3 processing snapshot"),
);

/** The id of a snapshot that exists. */
export const snapshotId = v.pipe(
  v.string("a string"),
  v.description('UUID of a snapshot, or "default"'),
);

/** The display name of a snapshot, of at least `shortest` characters. */
export function snapshotName(shortest: number) {
  const { max } = SNAPSHOT_NAME_LENGTH;
  const expected = `text of ${shortest} to ${max} characters without control characters`;
  return v.pipe(
    v.string(expected),
    v.check((text) => textFault(text, max) === undefined, expected),
    v.transform((text) => text.normalize("NFC")),
    v.check((text) => [...text].length >= shortest, expected),
  );
}

/** Bitmask of the groups that may load and modify. */
export const writegroups = v.pipe(
  integer(
    `an integer from ${WRITEGROUPS.min} to ${WRITEGROUPS.max}`,
    WRITEGROUPS.min,
    WRITEGROUPS.max,
  ),
  v.description("bitmask of the user groups that may load and modify"),
);

/** Bitmask of the groups that may load; 0 is everyone. */
export const readgroups = v.pipe(
  integer(`an integer from ${READGROUPS.min} to ${READGROUPS.max}`, READGROUPS.min, READGROUPS.max),
  v.description("bitmask of the user groups that may load; 0 is everyone"),
);

/** The number of an external list. */
export const list = resource("external list");

/** The name of a user. */
export const userName = v.pipe(
  v.string("a string"),
  v.description("1 to 64 letters, digits, '.', '_', '@', '-'"),
);

/** Bitmask of the groups that a user is in. */
export const userGroups = v.pipe(
  integer(`an integer from 0 to ${ALL_GROUPS}`, 0, ALL_GROUPS),
  v.description("bitmask of the groups that the user is in"),
);

/** Whether a user is an admin. */
export const isAdmin = v.pipe(
  v.boolean("true or false"),
  v.description("may back up, restore and change users"),
);

/** Whether a user is an audio engine. */
export const isEngine = v.pipe(
  v.boolean("true or false"),
  v.description("is an audio engine; nothing depends on it yet"),
);
