/**
 * A log that lives in memory: for tests, and for runtimes without a file system. It keeps the same
 * contract as {@link openLog}, but for what a medium gives: it forgets when the process ends.
 *
 * @module
 */
import type { Log, LogOptions } from "./contract.ts";
import { StorageError } from "./errors.ts";
import { isCheckpointDue } from "./policy.ts";
import { joined } from "./record-bytes.ts";
import { checkRecord, storedBytes } from "./record-size.ts";

/**
 * Opens a log on `medium`, an array of records that the caller may keep and open again.
 * `LogOptions.segmentBytes` sets how far it grows before it is compacted (default 4 MiB).
 */
export function openMemoryLog(
  options: Omit<LogOptions, "files"> = {},
  medium: Uint8Array[] = [],
): Promise<Log> {
  const { replay, checkpoint, segmentBytes = 4 * 1024 * 1024 } = options;
  const sizeOf = (records: readonly Uint8Array[]) =>
    records.reduce((sum, record) => sum + storedBytes(record), 0);
  const recovery = {
    records: medium.length,
    bytes: medium.reduce((sum, { length }) => sum + length, 0),
  };
  const space = { total: sizeOf(medium), live: 0 };
  let closed = false;
  let compacting = false;
  let last: Promise<unknown> = Promise.resolve();

  function inOrder(action: () => void | Promise<void>): Promise<void> {
    const done = last.then(action);
    last = done.catch(() => {});
    return done;
  }

  async function replace(): Promise<void> {
    // Whoever waited for an acknowledgement has had it after one turn of the event loop.
    await new Promise((resolve) => setTimeout(resolve, 0));
    medium.splice(0, medium.length, ...Array.from(checkpoint!(), joined));
    space.total = space.live = sizeOf(medium);
  }

  function compactIfDue(): void {
    if (compacting || checkpoint === undefined || !isCheckpointDue(space, segmentBytes)) return;
    compacting = true;
    inOrder(replace).finally(() => compacting = false);
  }

  function refuseClosed(): Promise<never> {
    return Promise.reject(new StorageError("closed", "could not be stored: the log is closed"));
  }

  for (const record of medium) replay?.(record.slice());
  return Promise.resolve({
    recovery,
    condition: {},
    get space() {
      return { ...space };
    },
    append(record) {
      if (closed) return refuseClosed();
      const fault = checkRecord(record);
      if (fault !== undefined) return Promise.reject(fault);
      return inOrder(() => {
        medium.push(joined(record));
        space.total += storedBytes(record);
        compactIfDue();
      });
    },
    compact() {
      if (closed) return refuseClosed();
      if (checkpoint === undefined) {
        return Promise.reject(new TypeError("compact: no checkpoint given"));
      }
      return inOrder(replace);
    },
    async close() {
      closed = true;
      await last;
    },
  });
}
