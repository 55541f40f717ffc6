/**
 * Stands in for the log of a data folder that the medium does not let anybody open.
 *
 * @module
 */
import type { Condition, Log } from "../storage/contract.ts";
import { describeFault, isFull, StorageError } from "../storage/storage-error.ts";

/** Says that a folder, which could not be read at the start, is not new: it holds records. */
export class HoldsRecords extends Error {}

/**
 * Makes a log that has no records and takes none, until a `retry` has opened the folder: from then
 * on it is the log that `open` resolved with. Where that rejects with {@link HoldsRecords}, it is
 * `damaged` until the next start: what the folder holds was not read, and must not be replaced by a
 * state that knows nothing of it.
 */
export function unopenedLog(folder: string, fault: unknown, open: () => Promise<Log>): Log {
  let log: Log | undefined;
  let condition = unopened(folder, fault);

  function refuse(): Promise<never> {
    const why = `could not be stored: ${condition.why}`;
    return Promise.reject(new StorageError("readOnly", why));
  }

  async function tryToOpen(): Promise<void> {
    try {
      log = await open();
    } catch (fault) {
      condition = fault instanceof HoldsRecords
        ? { state: "damaged", why: `${folder} is there now, but ${unread}`, remedy }
        : unopened(folder, fault);
    }
  }

  return {
    get recovery() {
      return log?.recovery ?? { records: 0, bytes: 0 };
    },
    get condition() {
      return log?.condition ?? condition;
    },
    get space() {
      return log?.space ?? { total: 0, live: 0, held: 0 };
    },
    append: (record) => log?.append(record) ?? refuse(),
    compact: () => log?.compact() ?? refuse(),
    async retry(options) {
      if (log === undefined && condition.state !== "damaged") await tryToOpen();
      await log?.retry(options);
    },
    close: () => log?.close() ?? Promise.resolve(),
  };
}

const unread = "what it holds was not read";
const remedy = "Nothing is broken: start again to have it.";

function unopened(folder: string, fault: unknown): Condition {
  const why = `${folder} could not be opened: ${describeFault(fault)}`;
  return { state: isFull(fault) ? "full" : "readonly", why };
}
