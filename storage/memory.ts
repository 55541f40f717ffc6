/**
 * A log that lives in memory: for tests, and for runtimes without a file system. It keeps the same
 * contract as {@link openLog}, except for durability: its records are lost when the process ends.
 *
 * @module
 */
import type { Log } from "./contract.ts";
import { whole } from "./records.ts";
import { openTableLog, type TableLogOptions } from "./table-log.ts";

/**
 * Opens a log on `medium`, an array of records that the caller may keep and open again.
 * `LogOptions.segmentBytes` sets how far it grows before it is compacted (default 4 MiB).
 */
export function openMemoryLog(
  options: TableLogOptions = {},
  medium: Uint8Array[] = [],
): Promise<Log> {
  const log = openTableLog({
    records: () => medium.map((record) => ({ record: record.slice(), isLive: false })),
    add(records) {
      medium.push(...records.map(whole));
      return Promise.resolve();
    },
    replace(records) {
      // Gathered first, because `records` may throw, and pushed one by one, because a call takes
      // some 100,000 arguments.
      const replacing = Array.from(records, whole);
      medium.length = 0;
      for (const record of replacing) medium.push(record);
      return Promise.resolve();
    },
  }, options);
  return Promise.resolve(log);
}
