/**
 * Reading a log back: its records in order, and what is wrong with it. Nothing is changed.
 *
 * @module
 */
import type { Place, Recovery } from "./contract.ts";
import { type FileSystem, readFully } from "./file-system.ts";
import { type Survey, survey, type SurveyedFile } from "./folder.ts";
import { type FileIdentity, fileName } from "./format.ts";
import { judgeTail, type Scan, scan } from "./scan.ts";

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

/** Takes one record, its payload good until the next, and where it is. */
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
  let fault: Fault = {};
  for (const [index, one] of present.entries()) {
    const { name, kind, sequence } = one;
    // Nothing says where the records of the last segment must end.
    const limit = (kind === "checkpoint" ? one : present[index + 1])?.header?.end;
    const read = await readFile(one, limit, visit);
    records += read.scan.records;
    bytes += read.scan.bytes;
    files.push({ name, kind, sequence, bytes: read.scan.end });
    fault = read.fault;
    if (fault.damage !== undefined) break;
  }
  if (missing !== undefined && fault.damage === undefined) {
    const file = fileName({ kind: "segment", sequence: missing });
    fault = { damage: { file, segment: missing, offset: 0, reason: "the file is missing" } };
  }
  const { unborn, stale } = found;
  const isWhole = fault.cut === undefined && fault.damage === undefined;
  if (isWhole && unborn !== undefined && unborn.size > 0) {
    fault = { cut: { ...placeIn(unborn, 0), bytes: unborn.size } };
  }
  return { recovery: { records, bytes, ...fault }, files, stale };
}

/** The first number that no segment has although a later file or a checkpoint proves that one had. */
function findMissing({ used, first }: Survey): number | undefined {
  const numbers = used.filter(({ kind }) => kind === "segment").map(({ sequence }) => sequence);
  const gap = numbers.findIndex((sequence, index) => sequence !== first + index);
  if (gap >= 0) return first + gap;
  return used.length > 0 && numbers.length === 0 ? first : undefined;
}

async function readFile(
  one: SurveyedFile,
  limit: number | undefined,
  visit: VisitRecord,
): Promise<{ scan: Scan; fault: Fault }> {
  const damage = (offset: number, reason: string) => ({
    damage: { ...placeIn(one, offset), reason },
  });
  if (one.header === undefined) {
    const nothing = { records: 0, bytes: 0, end: 0 };
    return { scan: nothing, fault: damage(0, "the header is not valid") };
  }
  const found = await scan(
    one.file,
    Math.min(limit ?? one.size, one.size),
    (payload, offset) => visit(payload, placeIn(one, offset)),
  );
  if (found.end === limit) return { scan: found, fault: {} };
  if (limit === undefined) {
    const rest = await readFully(one.file, new Uint8Array(one.size - found.end), found.end);
    const tail = judgeTail(rest, found.end);
    if (tail === "nothing") return { scan: found, fault: {} };
    const cut = { ...placeIn(one, found.end), bytes: rest.length };
    if (tail === "torn") return { scan: found, fault: { cut } };
  }
  return {
    scan: found,
    fault: damage(found.end, "what is here is not the record that was stored"),
  };
}

function placeIn({ name, sequence }: SurveyedFile, offset: number): Place {
  return { file: name, segment: sequence, offset };
}
