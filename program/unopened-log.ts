/**
 * Stands in for the log of a data folder that the medium does not let anybody open.
 *
 * @module
 */
import type { Log } from "../storage/contract.ts";
import { describeFault, StorageError } from "../storage/storage-error.ts";

/**
 * Makes a log that has no records and takes none. It stays so until the next start, also where the
 * medium is well again: what the folder holds was not read, and must not be replaced by a state
 * that knows nothing of it.
 */
export function unopenedLog(folder: string, fault: unknown): Log {
  const why = `${folder} could not be opened: ${describeFault(fault)}`;
  const refuse = () => Promise.reject(new StorageError("readOnly", `could not be stored: ${why}`));
  return {
    recovery: { records: 0, bytes: 0 },
    condition: { state: "damaged", why },
    space: { total: 0, live: 0, held: 0 },
    append: refuse,
    compact: refuse,
    retry: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
