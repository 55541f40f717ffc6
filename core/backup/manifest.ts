/**
 * The two files by which an archive can be verified: `manifest.json`, the first, lists its content;
 * `sums.json`, the last, has the length and the CRC-32 of every file between them. They are two
 * files so that an archive is made in one pass, with one file in memory at a time.
 *
 * @module
 */
import type { CooperativeScheduler } from "../ports.ts";
import * as v from "valibot";
import { describeIssue } from "../configuration/faults.ts";
import { whole } from "../configuration/schema.ts";
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import { listItems, parseUtf8 } from "../json.ts";
import { BACKUP_FILE_BYTES, BACKUP_FILES, BACKUP_JSON_VALUES } from "../limits.ts";
import { tagNames, tagTable } from "./tags.ts";

/** The name of the first file of an archive. */
export const MANIFEST = "manifest.json";

/** The name of the last file of an archive. */
export const SUMS = "sums.json";

/** The version of archives that is written and read. */
export const BACKUP_FORMAT = 1;

const manifestSchema = v.strictObject({
  format: whole(0, Number.MAX_SAFE_INTEGER),
  device: v.string(),
  firmware: v.string(),
  time: v.pipe(v.string(), v.isoTimestamp()),
  tags: v.pipe(v.array(v.picklist(tagNames)), v.minLength(1), v.readonly()),
});

const sumSchema = v.strictObject({
  name: v.string(),
  bytes: whole(0, BACKUP_FILE_BYTES),
  crc32: whole(0, 2 ** 32 - 1),
});

/**
 * The manifest of an archive: `device` is the name of the device that made it, `time` is in
 * UTC.
 */
export type Manifest = Readonly<v.InferOutput<typeof manifestSchema>>;

/** The length and the CRC-32 of a file of an archive. */
export type Sum = Readonly<v.InferOutput<typeof sumSchema>>;

/**
 * Makes the refusal (3) of an archive; it names `file`, the parameter that contains the archive.
 */
export function badArchive(sentence: string): Refusal {
  return refuse("invalidParameter", sentence, "file");
}

/**
 * Reads a manifest. Refused: bytes that are not JSON, another format, a repeated tag, a missing,
 * invalid or unknown member.
 */
export function readManifest(document: unknown): Manifest | Refusal {
  if (document === undefined) return badArchive(`${MANIFEST} is not JSON`);
  const format = (document as { format?: unknown } | null)?.format;
  if (typeof format === "number" && format !== BACKUP_FORMAT) {
    const advice = "restore it with the version of faderd that wrote it";
    return badArchive(`expected an archive of format ${BACKUP_FORMAT}, got ${format}: ${advice}`);
  }
  const manifest = read(manifestSchema, document, MANIFEST);
  if (isRefusal(manifest)) return manifest;
  return new Set(manifest.tags).size === manifest.tags.length
    ? manifest
    : badArchive(`${MANIFEST} names a tag twice`);
}

/**
 * Reads the sums of an archive. Refused: anything but a list of sums, and a list that is too long.
 */
export async function readSums(
  bytes: Uint8Array,
  scheduler: CooperativeScheduler,
): Promise<readonly Sum[] | Refusal> {
  const sums: Sum[] = [];
  for (const item of listItems(bytes)) {
    const value = item && parseUtf8(item, BACKUP_JSON_VALUES);
    if (value === undefined) return badArchive(`${SUMS} is not a JSON list`);
    const sum = read(sumSchema, value, SUMS);
    if (isRefusal(sum)) return sum;
    sums.push(sum);
    if (sums.length > BACKUP_FILES) {
      return badArchive(`${SUMS}: expected at most ${BACKUP_FILES} files`);
    }
    await scheduler.pause();
  }
  return sums;
}

/**
 * Refuses an archive whose sums do not match the files `found`, or which lacks a file that the tags
 * of the manifest need; undefined for any other archive.
 */
export function sumsRefusal(
  { tags }: Manifest,
  sums: readonly Sum[],
  found: ReadonlyMap<string, Sum>,
): Refusal | undefined {
  const listed = new Set(sums.map(({ name }) => name));
  const missing = [...listed].find((name) => !found.has(name)) ??
    tags.map((tag) => tagTable[tag].file)
      .find((file) => !file.endsWith("/") && !found.has(file));
  if (missing !== undefined) return badArchive(`${missing} is missing`);
  const extra = [...found.keys()].find((name) => !listed.has(name));
  if (extra !== undefined) return badArchive(`${extra} is not in ${SUMS}`);
  const wrong = sums.find(({ name, bytes, crc32 }) => {
    const sum = found.get(name)!;
    return sum.bytes !== bytes || sum.crc32 !== crc32;
  });
  return wrong && badArchive(`${wrong.name} is not what ${SUMS} says: it was altered or damaged`);
}

function read<Schema extends v.GenericSchema>(
  schema: Schema,
  document: unknown,
  name: string,
): v.InferOutput<Schema> | Refusal {
  const parsed = v.safeParse(schema, document, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [fault] = parsed.issues.flatMap((issue) => describeIssue(issue));
  return badArchive(`${name}: ${fault!.path}: ${fault!.reason}`);
}
