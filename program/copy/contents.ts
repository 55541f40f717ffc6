/**
 * What a whole copy holds: a gzip-compressed tar, in which `copy.json` stands first and `sums.json`
 * last, with the files of the data folder between them, and the configuration.
 *
 * @module
 */
import * as v from "valibot";
import { parseFileName } from "../../storage/format.ts";
import { Failure } from "../failure.ts";

/** The name of the first file. */
export const ORIGIN = "copy.json";

/** The name of the last file. */
export const SUMS = "sums.json";

/** The name of the configuration, wherever it stood. */
export const CONFIGURATION = "configuration.json";

/** What else than the log is copied of a data folder, where it is there. */
export const BESIDE: readonly string[] = [
  "audit.1.log",
  "audit.log",
  "console.json",
  "fleet.json",
  "site-key",
];

/** The version of copies that is written and read. */
const FORMAT = 1;

/** The most bytes of the first and the last file: more than any of them has. */
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

/** Of which console a copy is, of when, and by which version of faderd. */
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

/** Reads the first file; throws {@link Failure} where it is not that of a copy. */
export function readOrigin(bytes: Uint8Array): Origin {
  const read = v.safeParse(originSchema, parsed(bytes));
  if (read.success) return read.output;
  throw new Failure(`${ORIGIN} is not that of a copy of format ${FORMAT}`);
}

/** Reads the last file; throws {@link Failure} where it is none. */
export function readSums(bytes: Uint8Array): readonly Sum[] {
  const read = v.safeParse(sumsSchema, parsed(bytes));
  if (read.success) return read.output;
  throw new Failure(`${SUMS} is not a list of sums`);
}

/** Says whether a file between the two may be in a copy. */
export function isContent(name: string): boolean {
  return parseFileName(name) !== undefined || name === CONFIGURATION || BESIDE.includes(name);
}

function jsonFile(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
