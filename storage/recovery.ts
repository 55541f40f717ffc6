/**
 * Reading a log back: its records in order, and what is wrong with it. Nothing is changed.
 *
 * @module
 */
import type { Place, Recovery } from "./contract.ts";
import { type FileSystem, readFully } from "./file-system.ts";
import { type Survey, survey, type SurveyedFile } from "./folder.ts";
import { type FileIdentity, fileName } from "./format.ts";
import { judgeTail, scan, type Visit } from "./scan.ts";

/** One file of the log. */
export interface LogFile extends FileIdentity {
  readonly name: string;
  /** Where its good records end, which is the space it takes; that of the last segment grows. */
  bytes: number;
}

/** A folder after reading. */
export interface Recovered {
  readonly recovery: Recovery;
  /** The files in use, in order. */
  readonly files: readonly LogFile[];
  /** Names of files to remove. */
  readonly stale: readonly string[];
}

/** Takes one record and where it is; the payload is good until the next record. */
export type VisitRecord = (payload: Uint8Array, place: Place) => void;

type Fault = Pick<Recovery, "cut" | "damage">;

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

async function readFiles(found: Survey, visit: VisitRecord): Promise<Recovered> {
  const missing = findMissing(found);
  const present = found.used.filter(({ kind, sequence }) =>
    kind === "checkpoint" || missing === undefined || sequence < missing
  );
  const files: LogFile[] = [];
  let records = 0;
  let bytes = 0;
  let fault: Fault | undefined;
  for (const [index, one] of present.entries()) {
    const { name, kind, sequence } = one;
    // Nothing says where the records of the last segment must end.
    const limit = (kind === "checkpoint" ? one : present[index + 1])?.header?.end;
    const read = await readFile(one, limit, (payload, offset) => {
      records += 1;
      bytes += payload.length;
      visit(payload, placeIn(one, offset));
    });
    files.push({ name, kind, sequence, bytes: read.end });
    fault = read.fault;
    if (fault?.damage !== undefined) break;
  }
  if (missing !== undefined && fault?.damage === undefined) {
    const file = fileName({ kind: "segment", sequence: missing });
    fault = { damage: { file, segment: missing, offset: 0, reason: "the file is missing" } };
  }
  const { unborn, stale } = found;
  if (fault === undefined && unborn !== undefined && unborn.size > 0) {
    fault = { cut: { ...placeIn(unborn, 0), bytes: unborn.size } };
  }
  return { recovery: { records, bytes, ...fault }, files, stale };
}

/**
 * Answers the first number that no segment has although a later file or a checkpoint proves that
 * one had.
 */
function findMissing({ used, first }: Survey): number | undefined {
  const numbers = used.filter(({ kind }) => kind === "segment").map(({ sequence }) => sequence);
  const gap = numbers.findIndex((sequence, index) => sequence !== first + index);
  if (gap >= 0) return first + gap;
  return used.length > 0 && numbers.length === 0 ? first : undefined;
}

async function readFile(
  one: SurveyedFile,
  limit: number | undefined,
  visit: Visit,
): Promise<{ end: number; fault?: Fault }> {
  const { header, file, size } = one;
  if (header === undefined) {
    return { end: 0, fault: { damage: { ...placeIn(one, 0), reason: "the header is not valid" } } };
  }
  const end = await scan(file, Math.min(limit ?? size, size), visit);
  if (end === limit) return { end };
  const place = placeIn(one, end);
  if (limit === undefined) {
    const rest = await readFully(file, new Uint8Array(size - end), end);
    const tail = judgeTail(rest, end);
    if (tail === "nothing") return { end };
    if (tail === "torn") return { end, fault: { cut: { ...place, bytes: rest.length } } };
  }
  const reason = "what is here is not the record that was stored";
  return { end, fault: { damage: { ...place, reason } } };
}

function placeIn({ name, sequence }: SurveyedFile, offset: number): Place {
  return { file: name, segment: sequence, offset };
}
