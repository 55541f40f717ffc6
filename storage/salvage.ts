/**
 * Finding records behind damage.
 *
 * @module
 */
import { crc32 } from "../core/crc32.ts";
import { type OpenFile, readFully } from "./file-system.ts";
import { recordHeaderAt, recordHeaderBytes, sectorBytes, seedOf } from "./format.ts";
import type { Progress, Source } from "./scan.ts";
import { isUnreadable } from "./storage-error.ts";
import { createWindow } from "./window.ts";

/** A file in which zeros stand for what cannot be read. */
export function readAround(file: Pick<OpenFile, "read">): Pick<OpenFile, "read"> {
  return {
    async read(buffer, offset) {
      try {
        return await file.read(buffer, offset);
      } catch (fault) {
        if (!isUnreadable(fault)) throw fault;
      }
      const sector = buffer.subarray(0, sectorBytes - offset % sectorBytes);
      try {
        return await file.read(sector, offset);
      } catch (fault) {
        if (!isUnreadable(fault)) throw fault;
        sector.fill(0);
        return sector.length;
      }
    },
  };
}

/**
 * Resolves with where the next record stands behind `from` whose sums are right, undefined where
 * there is none. In a file of version 1 none is looked for: its sums have no salt, so what a client
 * sent may look like a record.
 */
export async function findRecord(source: Source, from: number): Promise<Progress | undefined> {
  const { file, form: { version, salt }, limit } = source;
  if (version === 1) return undefined;
  const window = createWindow(file, limit);
  for (let offset = from + 1; offset + recordHeaderBytes < limit; offset++) {
    if (!window.holds(offset, recordHeaderBytes)) await window.load(offset, recordHeaderBytes);
    if (!window.holds(offset, recordHeaderBytes)) return undefined;
    const seed = seedOf(salt, offset);
    const header = recordHeaderAt(window.view, window.at(offset), seed);
    if (header === undefined || header.durable > offset) continue;
    const start = offset + recordHeaderBytes;
    if (start + header.length > limit) continue;
    const payload = await readFully(file, new Uint8Array(header.length), start);
    if (crc32(payload, seed) === header.sum) return { end: offset, durable: header.durable };
  }
  return undefined;
}
