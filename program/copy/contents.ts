/**
 * The content of a whole copy: a gzip-compressed tar, with `copy.json` first and `sums.json` last,
 * and the files of the data folder and the configuration between them.
 *
 * @module
 */
import * as v from "valibot";
import { parseUtf8 } from "../../core/json.ts";
import { jsonFile } from "../../core/json-file.ts";
import { parseFileName } from "../../storage/format.ts";
import { Failure } from "../failure.ts";

/** The name of the first file. */
export const ORIGIN = "copy.json";

/** The name of the last file. */
export const SUMS = "sums.json";

/** The name of the configuration, whatever its path was. */
export const CONFIGURATION = "configuration.json";

/** The files beside the log that are copied from a data folder, if they exist. */
export const BESIDE: readonly string[] = [
  "audit.1.log",
  "audit.log",
  "console.json",
  "fleet.json",
  "site-key",
];

/** The version of copies that is written and read. */
const FORMAT = 1;

/** Maximum number of bytes of the first and of the last file: more than either can have. */
export const LIST_BYTES = 16 * 1024 * 1024;

const originSchema = v.object({
  format: v.literal(FORMAT),
  faderd: v.string(),
  time: v.pipe(v.string(), v.isoTimestamp()),
  device: v.string(),
  serial: v.string(),
  records: v.number(),
});

const sumsSchema = v.array(v.strictObject({
  name: v.string(),
  bytes: v.number(),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
}));

/**
 * The console of a copy, the time of the copy, the number of records of its log, and the version of
 * faderd that made it.
 */
export type Origin = Readonly<v.InferOutput<typeof originSchema>>;

/** The length and the SHA-256 of a file. */
export type Sum = Readonly<v.InferOutput<typeof sumsSchema>[number]>;

/** Makes the first file. */
export function originFile(origin: Omit<Origin, "format">): Uint8Array<ArrayBuffer> {
  return jsonFile({ format: FORMAT, ...origin });
}

/** Makes the last file. */
export function sumsFile(sums: readonly Sum[]): Uint8Array<ArrayBuffer> {
  return jsonFile(sums);
}

/** Reads the first file; throws {@link Failure} if it does not belong to a copy. */
export function readOrigin(bytes: Uint8Array): Origin {
  const read = v.safeParse(originSchema, parseUtf8(bytes, Infinity));
  if (read.success) return read.output;
  throw new Failure(`${ORIGIN} is not that of a copy of format ${FORMAT}`);
}

/** Reads the last file; throws {@link Failure} if it is not valid. */
export function readSums(bytes: Uint8Array): readonly Sum[] {
  const read = v.safeParse(sumsSchema, parseUtf8(bytes, Infinity));
  if (read.success) return read.output;
  throw new Failure(`${SUMS} is not a list of sums`);
}

/** Says whether a file between the two may be in a copy. */
export function isContent(name: string): boolean {
  return parseFileName(name) !== undefined || name === CONFIGURATION || BESIDE.includes(name);
}
