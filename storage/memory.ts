/**
 * A log that lives in memory: for tests, and for runtimes without a file system. It keeps the same
 * contract as {@link openLog}, but for what a medium gives: it forgets when the process ends.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import type { RecordBytes } from "../core/ports.ts";
import { defaultSegmentBytes, type Log, type LogOptions } from "./contract.ts";
import { callsOn } from "./calls.ts";
import { createGroupCommit } from "./group-commit.ts";
import { partsOf, storedBytes } from "./records.ts";
import { isCheckpointDue } from "./space.ts";

/** Makes a copy of a record, in one buffer. */
export function whole(record: RecordBytes): Uint8Array {
  return concat(partsOf(record));
}

/**
 * Opens a log on `medium`, an array of records that the caller may keep and open again.
 * `LogOptions.segmentBytes` sets how far it grows before it is compacted (default 4 MiB).
 */
export function openMemoryLog(
  options: Omit<LogOptions, "files" | "scheduler"> = {},
  medium: Uint8Array[] = [],
): Promise<Log> {
  const { replay, checkpoint, segmentBytes = defaultSegmentBytes } = options;
  const sizeOf = (records: readonly Uint8Array[]) =>
    records.reduce((sum, record) => sum + storedBytes(record), 0);
  const recovery = {
    records: medium.length,
    bytes: medium.reduce((sum, { length }) => sum + length, 0),
  };
  const space = { total: sizeOf(medium), live: 0 };

  function write(piece: readonly RecordBytes[]): Promise<void> {
    medium.push(...piece.map(whole));
    space.total += storedBytes(...piece);
    return Promise.resolve();
  }

  async function compact(): Promise<void> {
    // After one turn of the event loop, whoever waited for an acknowledgement has had it.
    await new Promise((resolve) => setTimeout(resolve));
    medium.splice(0, medium.length, ...Array.from(checkpoint!(), whole));
    space.total = space.live = sizeOf(medium);
  }

  const commit = createGroupCommit({ write }, () => {
    if (checkpoint !== undefined && isCheckpointDue(space, segmentBytes)) commit.between(compact);
  });
  for (const record of medium) replay?.(record.slice());
  return Promise.resolve({
    recovery,
    condition: { state: "ok" },
    get space() {
      return { ...space, held: 0 };
    },
    ...callsOn(commit, checkpoint === undefined ? undefined : compact),
    retry: () => Promise.resolve(),
  });
}
