/**
 * Finding records behind damage.
 *
 * @module
 */
import { crc32 } from "../core/crc32.ts";
import { type OpenFile, readFully } from "./file-system.ts";
import {
  type RecordHeader,
  recordHeaderAt,
  recordHeaderBytes,
  recordsFrom,
  saltBehind,
  sectorBytes,
  seedOf,
  writeAfter,
} from "./format.ts";
import { pieceBytes } from "./records.ts";
import type { Progress, Source } from "./scan.ts";
import { isUnreadable } from "./storage-error.ts";
import { createWindow } from "./window.ts";

/** Returns a reader of a file that gives zeros for bytes that cannot be read. */
export function readAround(file: Pick<OpenFile, "read">): Pick<OpenFile, "read"> {
  return {
    async read(buffer, offset) {
      const sector = buffer.subarray(0, sectorBytes - offset % sectorBytes);
      for (const part of [buffer, sector]) {
        try {
          return await file.read(part, offset);
        } catch (fault) {
          if (!isUnreadable(fault)) throw fault;
        }
      }
      sector.fill(0);
      return sector.length;
    },
  };
}

/**
 * Resolves with the salt of a file without a valid header, computed from its first record, which no
 * client can forge; undefined if there is no record.
 */
export async function saltByRecords(
  file: Pick<OpenFile, "read">,
  size: number,
): Promise<number | undefined> {
  const window = createWindow(file, size);
  if (!await window.load(recordsFrom, recordHeaderBytes)) return undefined;
  return saltBehind(window.view, 0, recordsFrom);
}

/**
 * Resolves with the place of the next record behind `from` whose checksums are right; undefined if
 * there is none.
 *
 * A salt can be guessed, once in four billion tries. So the payload of a record whose header is
 * good is not searched, and otherwise only the places where a record may begin.
 */
export async function findRecord(source: Source, from: number): Promise<Progress | undefined> {
  const { file, salt, limit } = source;
  const window = createWindow(file, limit);
  const headerAt = async (offset: number): Promise<RecordHeader | undefined> => {
    const isHeld = window.holds(offset, recordHeaderBytes) ||
      await window.load(offset, recordHeaderBytes);
    return isHeld
      ? recordHeaderAt(window.view, window.at(offset), seedOf(salt, offset))
      : undefined;
  };
  let offset = from + 1;
  for (const place of [from, writeAfter(from)]) {
    const damaged = await headerAt(place);
    if (damaged !== undefined) offset = place + recordHeaderBytes + damaged.length;
  }
  const searched = offset + pieceBytes;
  for (; offset + recordHeaderBytes < limit; offset = next(offset, searched)) {
    const header = await headerAt(offset);
    if (header === undefined || header.durable > offset) continue;
    const start = offset + recordHeaderBytes;
    if (start + header.length > limit) continue;
    const payload = await readFully(file, new Uint8Array(header.length), start);
    if (crc32(payload, seedOf(salt, offset)) === header.sum) {
      return { end: offset, durable: header.durable };
    }
  }
  return undefined;
}

/**
 * Returns the next offset to search: a record may begin anywhere in a write, which has 64 KiB at
 * most; behind that only where a write begins.
 */
function next(offset: number, searched: number): number {
  return offset < searched ? offset + 1 : writeAfter(offset + 1);
}
