/**
 * Schemas of parameters and results that several REST actions and RPC methods share. The message of
 * a schema says what was expected: it stands in the refusal of anything else.
 *
 * @module
 */
import * as v from "valibot";
import {
  HISTORY_STEP,
  PATH_CHARACTERS,
  READGROUPS,
  SNAPSHOT_NAME_LENGTH,
  WRITEGROUPS,
} from "../core/limits.ts";
import { textFault } from "../core/tree/leaf.ts";
import { EXPIRES_FORM, INSTANT, instant } from "../core/users/expiry.ts";
import { ALL_GROUPS } from "../core/users/groups.ts";
import { MAY } from "../core/users/user.ts";
import { isBranch } from "../core/tree/tree.ts";
import {
  VIEW_DOCUMENT_NAME,
  VIEW_DOCUMENT_NAME_FORM,
} from "../core/view-documents/view-document.ts";

/** Describes an integer in the safe range (±(2^53 - 1)), or from `min` to `max` if given. */
export function integer(
  description: string,
  { min, max }: { readonly min?: number; readonly max?: number } = {},
) {
  const range = min === undefined ? ` within ±${Number.MAX_SAFE_INTEGER}` : ` from ${min}`;
  const expected = `an integer${range}${max === undefined ? "" : ` to ${max}`}`;
  return v.pipe(
    v.number(expected),
    v.safeInteger(expected),
    v.minValue(min ?? Number.MIN_SAFE_INTEGER, expected),
    v.maxValue(max ?? Number.MAX_SAFE_INTEGER, expected),
    v.description(description),
  );
}

/**
 * Describes text of `min` to `max` characters, which are counted in Unicode NFC, none of them a
 * control character.
 */
export function text({ min, max }: { readonly min: number; readonly max: number }) {
  const length = min === 0 ? `at most ${max}` : `${min} to ${max}`;
  const expected = `text of ${length} characters without control characters`;
  return v.pipe(
    v.string(expected),
    v.check(
      (text) =>
        textFault(text, max) === undefined &&
        (min === 0 || [...text.normalize("NFC")].length >= min),
      expected,
    ),
    v.metadata({ description: expected, minLength: min, maxLength: max, pattern: NO_CONTROLS }),
  );
}

/** JSON Schema's pattern for text without control characters (`Cc` and `Bidi_Control`). */
const NO_CONTROLS =
  "^[^\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*$";

/** Describes the display name of a snapshot, of at least `min` characters. */
export function snapshotName(min: number) {
  return v.pipe(
    text({ min, max: SNAPSHOT_NAME_LENGTH.max }),
    v.transform((name) => name.normalize("NFC")),
  );
}

/** Describes the number of something that the configuration names. */
export function resource(description: string) {
  return integer(description, { min: 0 });
}

/** A path of the control tree. */
export const treePath = v.pipe(
  v.string("a string"),
  v.maxLength(PATH_CHARACTERS, `at most ${PATH_CHARACTERS} characters`),
  v.description("A path of the control tree; a slash at either end may be left out."),
);

/** The virtual mixer, by default 0. */
export const mixer = v.optional(resource("virtual mixer"), 0);

/** The faders that have access, as `getaccess` and its event tell them. */
export const accessResult = {
  mixer: v.pipe(
    v.record(
      v.string(),
      v.object({
        accessgroup: v.pipe(
          v.record(v.string(), v.number()),
          v.description("the number of the fader that has it, by access group"),
        ),
      }),
    ),
    v.description("every virtual mixer, by its number"),
  ),
};

/** 1 channel, 2 mixer, 3 processing. */
export const snapshotType = v.pipe(
  v.picklist([1, 2, 3], "1, 2 or 3"),
  v.description("1 channel, 2 mixer, 3 processing snapshot"),
);

/**
 * For the published schema: the parameter that each `type` needs. The console refuses its absence
 * (3) itself, because it knows the type even if none is given.
 */
export const needsTarget = { allOf: [needs(1, "fader"), needs(3, "fp")] };

function needs(type: number, parameter: string) {
  return {
    if: { properties: { type: { const: type } }, required: ["type"] },
    // Also named in `properties`, because strict validators demand that.
    then: { required: [parameter], properties: { [parameter]: {} } },
  };
}

/** Describes the id of an existing snapshot, or also of a new snapshot if `description` says so. */
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

/** The name of a view document. */
export const viewDocumentName = v.pipe(
  v.string(VIEW_DOCUMENT_NAME_FORM),
  v.regex(VIEW_DOCUMENT_NAME, VIEW_DOCUMENT_NAME_FORM),
  v.description(`name of the document: ${VIEW_DOCUMENT_NAME_FORM}`),
);

/** The revision of a view document. */
export const viewDocumentRevision = integer(
  "revision of the document; 0 where there is none",
  { min: 0 },
);

const OBJECT_OR_NULL = "an object or null";

/** A view document. */
export const viewDocument = v.pipe(
  v.custom<Readonly<Record<string, unknown>> | null>(
    (value) => value === null || isBranch(value),
    OBJECT_OR_NULL,
  ),
  v.metadata({ type: ["object", "null"], description: "the document; null where there is none" }),
);

/** The name of an existing user. */
export const userName = v.pipe(v.string("a string"), v.description("name of a user"));

const GROUPS = "bitmask of the groups that the user is in";

/** Bitmask of the groups that a user is in. */
export const userGroups = integer(GROUPS, { min: 0, max: ALL_GROUPS });

/** Describes a boolean parameter. */
export function flag(description: string) {
  return v.pipe(v.boolean("true or false"), v.description(description));
}

const ADMIN = "may back up, restore and change users";

/** Whether a user is an admin. */
export const isAdmin = flag(ADMIN);

/** The right of a user. */
export const may = v.pipe(
  v.picklist(MAY, "view, press, operate or configure"),
  v.description("right of the user; an admin may always configure"),
);

/** The time at which the token of a user expires. */
export const expires = v.pipe(
  v.string(EXPIRES_FORM),
  v.description(`when the token expires: ${EXPIRES_FORM}`),
);

const INSTANT_FORM = "an instant like 2027-01-31T18:00:00Z";

/** Describes an instant, which is read as ms since 1970. */
export function instantText(description: string) {
  return v.pipe(
    v.string(INSTANT_FORM),
    v.regex(INSTANT, INSTANT_FORM),
    v.description(`${description}: ${INSTANT_FORM}`),
    v.check((text) => !Number.isNaN(instant(text)), INSTANT_FORM),
    v.transform(instant),
  );
}

/** The parameters that choose a part of the history of a meter. */
export const historyPart = {
  since: v.optional(instantText("the earliest time of a point, by default an hour ago")),
  step: v.optional(integer("length of a point in s", HISTORY_STEP), HISTORY_STEP.default),
};

/** Whether a user is an audio engine. */
export const isEngine = flag("is an audio engine, and may report meters");

/** A result without members. */
export const done = v.strictObject({});

/** Describes a text of a result. */
export function textResult(description: string) {
  return v.pipe(v.string(), v.description(description));
}

/** Describes a number of a result. */
export function numberResult(description: string) {
  return v.pipe(v.number(), v.description(description));
}

/** Describes a boolean of a result. */
export function booleanResult(description: string) {
  return v.pipe(v.boolean(), v.description(description));
}

/** Describes a value of the control tree that clients can write. */
export function valueResult(description: string) {
  return v.pipe(v.union([v.number(), v.boolean(), v.string()]), v.description(description));
}

/** Describes a time in ISO 8601 and UTC, or null. */
export function timeResult(description: string) {
  return v.pipe(v.nullable(v.string()), v.description(`${description}, in ISO 8601 and UTC`));
}

/** A new token, which is not shown again. */
export const newToken = textResult("the new token, which is not shown again");

/** Warns an admin of the first user with fewer rights than a caller without a token. */
export const notice = v.exactOptional(
  textResult(
    "only for the first user who has fewer rights than a caller without a token: how to prevent that",
  ),
);

/** A part of the history of a meter. */
export const historyResult = v.object({
  start: textResult("when the first point begins, in ISO 8601 and UTC"),
  step: numberResult("length of a point in s"),
  members: v.pipe(
    v.record(
      v.string(),
      v.pipe(
        v.array(v.nullable(v.number())),
        v.description("the points in their order, in LUFS or dBFS; null where nothing is known"),
      ),
    ),
    v.description("the values that have points, by their names in the control tree"),
  ),
});

/** A result that names the external list. */
export const listResult = v.object({ list: numberResult("the external list") });

/** The rights of a user in a result. */
export const userMembers = {
  groups: numberResult(GROUPS),
  admin: booleanResult(ADMIN),
  engine: booleanResult("is an audio engine"),
  may: v.pipe(v.picklist(MAY), v.description("right of the user")),
  expires: timeResult("when the token expires; null for never"),
};
