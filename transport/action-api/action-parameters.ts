/**
 * Parameters of actions: how they come as text and files, and the schemas that only actions have.
 *
 * @module
 */
import * as v from "valibot";
import { readTags, tagNames } from "../../core/backup/tags.ts";
import { type Refusal, renamed } from "../../core/errors.ts";
import { SNAPSHOT_ID } from "../../core/limits.ts";
import { type Received, repeated } from "../intake/form.ts";
import { isFile, type ReceivedFile } from "../intake/multipart.ts";
import { type ParametersSchema, readBy, readParameters } from "../parameters.ts";
import { integer } from "../schemas.ts";

/** Describes a required `SnapshotID`, from `min` on. */
export function snapshotId(min: 0 | 1) {
  const { max } = SNAPSHOT_ID;
  return integer(`number of the snapshot, ${min} to ${max}`, { min, max });
}

const TAGS = `ALL, or some of ${tagNames.join(", ")}, separated by commas`;

/** Required tags of a backup; whether they apply to the device is checked later. */
export const tags = v.pipe(
  v.string(TAGS),
  v.description(TAGS),
  readBy(readTags),
);

/** Describes a required file of a `multipart/form-data` body. */
export function file(description: string) {
  return v.pipe(
    v.custom<ReceivedFile>(isFile, "a file in a multipart/form-data body"),
    v.metadata({ type: "string", contentMediaType: "application/octet-stream", description }),
  );
}

/** Describes a required file of a kind whose name ends in one of `endings`, in either case. */
export function namedFile(kind: string, endings: readonly string[]) {
  const expected = `${kind}, named ${endings.join(" or ")}`;
  return v.pipe(
    file(expected),
    v.check(({ name }) => endings.some((ending) => name.toLowerCase().endsWith(ending)), expected),
  );
}

/**
 * Reads the parameters of an action. Refused (3): a parameter that does not match its schema, or
 * that came more than once. An empty file field of a form counts as missing.
 */
export function readReceived(
  parameters: ParametersSchema,
  received: Received,
): v.InferOutput<ParametersSchema> | Refusal {
  const given: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(parameters.entries)) {
    const values = received.get(name) ?? [];
    const refusal = repeated(values, name);
    if (refusal !== undefined) return refusal;
    for (const value of values) if (!isLeftEmpty(value)) given[name] = typed(schema, value);
  }
  return readParameters(parameters, given);
}

/** The parameters that refusals of the core name, and the names that actions have for them. */
const NAMES = [
  ["id", "ObjectID"],
  ["sourceid", "ObjectID"],
  ["mixer", "ObjectID"],
  ["snapshotdata", "file"],
] as const;

/** Names the parameter in a refusal of the core as an action does. */
export function renamedFor({ entries }: ParametersSchema, refusal: Refusal): Refusal {
  return renamed(refusal, Object.fromEntries(NAMES.filter(([, name]) => name in entries)));
}

function isLeftEmpty(value: string | ReceivedFile): boolean {
  return isFile(value) && value.name === "" && value.bytes.length === 0;
}

/** Converts a received value for its schema: `-?[0-9]+` in the safe range becomes an integer. */
export function typed(
  schema: v.ObjectEntries[string] | undefined,
  value: string | ReceivedFile,
): number | string | ReceivedFile {
  if (schema?.type !== "number" || isFile(value) || !/^-?[0-9]+$/.test(value)) return value;
  // "-0" is 0.
  const number = Number(value) + 0;
  return Number.isSafeInteger(number) ? number : value;
}
