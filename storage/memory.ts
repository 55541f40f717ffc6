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
    condition: { state: "ok" },
    records: () => medium.map((record) => ({ record: record.slice(), isLive: false })),
    add(records) {
      medium.push(...records.map(whole));
      return Promise.resolve();
    },
    replace(records) {
      medium.splice(0, medium.length, ...Array.from(records, whole));
      return Promise.resolve();
    },
  }, options);
  return Promise.resolve(log);
}
