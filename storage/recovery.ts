/**
 * Reading a log back: its records in order, and what is wrong with it. Nothing is changed.
 *
 * @module
 */
import type { Cut, Damage, Place, Recovery } from "./contract.ts";
import { type FileSystem, readFully } from "./file-system.ts";
import { fileName, type Header } from "./format.ts";
import { judgeTail, scan } from "./scan.ts";
import { type Survey, survey, type SurveyedFile } from "./survey.ts";

/** One file of the log. */
export interface LogFile extends Pick<Header, "kind" | "sequence"> {
  readonly name: string;
  /** Where its good records end: the space it takes. */
  readonly bytes: number;
}

/** A folder after reading. */
export interface Recovered {
  readonly recovery: Recovery;
  /** The files in use, in order. */
  readonly files: readonly LogFile[];
  /** Names of files to remove. */
  readonly stale: readonly string[];
}

/** Takes one record, its payload good until the next, and where it is. */
export type VisitRecord = (payload: Uint8Array, place: Place) => void;

interface FileRead {
  readonly records: number;
  readonly bytes: number;
  readonly end: number;
  readonly fault?: { readonly cut: Cut } | { readonly damage: Damage };
}

const notARecord = "what is here is not the record that was stored";

function placeIn({ name, sequence }: SurveyedFile, offset: number): Place {
  return { file: name, segment: sequence, offset };
}

/** Where the records of a file must end; nothing says so for the last segment. */
function limitOf(one: SurveyedFile, next: SurveyedFile | undefined): number | undefined {
  return one.kind === "checkpoint" ? one.header?.end : next?.header?.end;
}

async function readFile(
  one: SurveyedFile,
  limit: number | undefined,
  visit: VisitRecord,
): Promise<FileRead> {
  if (one.header === undefined) {
    const damage = { ...placeIn(one, 0), reason: "the header is not valid" };
    return { records: 0, bytes: 0, end: 0, fault: { damage } };
  }
  const found = await scan(
    one.file,
    Math.min(limit ?? one.size, one.size),
    (payload, offset) => visit(payload, placeIn(one, offset)),
  );
  if (found.end === limit) return found;
  const place = placeIn(one, found.end);
  if (limit !== undefined) return { ...found, fault: { damage: { ...place, reason: notARecord } } };
  const rest = await readFully(one.file, new Uint8Array(one.size - found.end), found.end);
  const tail = judgeTail(rest, found.end);
  if (tail === "nothing") return found;
  return tail === "torn"
    ? { ...found, fault: { cut: { ...place, bytes: rest.length } } }
    : { ...found, fault: { damage: { ...place, reason: notARecord } } };
}

/** The first number that no segment has although a later file or a checkpoint proves that one had. */
function findMissing({ used, first }: Survey): number | undefined {
  const numbers = used.filter(({ kind }) => kind === "segment").map(({ sequence }) => sequence);
  const gap = numbers.findIndex((sequence, index) => sequence !== first + index);
  if (gap >= 0) return first + gap;
  return used.length > 0 && numbers.length === 0 ? first : undefined;
}

function isDamage(fault: FileRead["fault"]): boolean {
  return fault !== undefined && "damage" in fault;
}

async function readFiles(found: Survey, visit: VisitRecord): Promise<Recovered> {
  const missing = findMissing(found);
  const present = found.used.filter(({ kind, sequence }) =>
    kind === "checkpoint" || missing === undefined || sequence < missing
  );
  const files: LogFile[] = [];
  let records = 0;
  let bytes = 0;
  let fault: FileRead["fault"];
  for (const [index, one] of present.entries()) {
    const read = await readFile(one, limitOf(one, present[index + 1]), visit);
    records += read.records;
    bytes += read.bytes;
    files.push({ name: one.name, kind: one.kind, sequence: one.sequence, bytes: read.end });
    fault = read.fault;
    if (isDamage(fault)) break;
  }
  if (missing !== undefined && !isDamage(fault)) {
    const file = fileName({ kind: "segment", sequence: missing });
    fault = { damage: { file, segment: missing, offset: 0, reason: "the file is missing" } };
  }
  if (fault === undefined && found.unborn !== undefined && found.unborn.size > 0) {
    fault = { cut: { ...placeIn(found.unborn, 0), bytes: found.unborn.size } };
  }
  return { recovery: { records, bytes, ...fault }, files, stale: found.stale };
}

/**
 * Reads the log in `folder` and gives every good record to `visit`, in order, up to the first
 * damage. An empty folder is an empty log. Rejects when a newer version wrote the folder.
 */
export function recover(
  files: FileSystem,
  folder: string,
  visit: VisitRecord,
): Promise<Recovered> {
  return survey(files, folder, (found) => readFiles(found, visit));
}
