/**
 * The log of a data folder that cannot be opened, or that is emptied, removed or replaced while the
 * console runs: it is opened once the folder exists.
 *
 * @module
 */
import type { Condition, Log } from "./contract.ts";
import { describeFault, isFull, StorageError } from "./storage-error.ts";

/** The folder that has replaced the one read at the start holds records. */
export class HoldsRecords extends Error {}

/**
 * Makes a log of `first`, which is a log or the reason why it could not be opened. Without a log,
 * or once its folder was emptied, removed or replaced, it takes no records until a `retry` has opened
 * the folder and stored the whole state there: from then on it is the log that `open` resolved with.
 * If `open` rejects with {@link HoldsRecords}, it is `damaged` until the next start: the records in
 * the folder were not read, and must not be replaced by a state without them.
 */
export function reopenedLog(
  folder: string,
  first: Log | Error,
  open: (wasRemoved: boolean) => Promise<Log>,
): Log {
  let log = first instanceof Error ? undefined : first;
  let condition: Condition = first instanceof Error ? unopened(folder, first) : first.condition;
  let wasRemoved = false;
  let opening: Promise<void> | undefined;
  let isClosed = false;

  function refuse(): Promise<never> {
    const why = `the change could not be stored: ${condition.why}`;
    return Promise.reject(new StorageError("readOnly", why));
  }

  /** Opens the folder, after the log of the folder that was there before is closed. */
  async function tryToOpen(before: Log | undefined): Promise<void> {
    try {
      await before?.close();
      const opened = await open(wasRemoved);
      // Until this is stored, an appended record would be meaningless.
      await opened.retry({ stale: true });
      if (opened.condition.state === "ok") {
        log = opened;
        return;
      }
      condition = opened.condition;
      await opened.close();
    } catch (fault) {
      condition = fault instanceof HoldsRecords
        ? { state: "damaged", why: `${folder} is there now, but ${unread}`, remedy: remedy() }
        : unopened(folder, fault);
    }
  }

  const remedy = () =>
    wasRemoved
      ? "After a restart these records count, and the state in force now is lost."
      : "Nothing is broken: a restart reads them.";

  return {
    get recovery() {
      return log?.recovery ?? { records: 0, bytes: 0 };
    },
    get condition() {
      return log?.condition ?? condition;
    },
    get space() {
      return log?.space ?? { total: 0, live: 0 };
    },
    append: (record) => log?.append(record) ?? refuse(),
    compact: () => log?.compact() ?? refuse(),
    async retry(options) {
      const before = log;
      if (!isClosed && log?.condition.gone) {
        condition = log.condition;
        wasRemoved = true;
        log = undefined;
      }
      const isUnderWay = opening !== undefined;
      if (log === undefined && condition.state !== "damaged" && !isClosed) {
        await (opening ??= tryToOpen(before).finally(() => opening = undefined));
        if (!isUnderWay || isClosed) return;
      }
      // The opening of an earlier call has not stored what has changed since it began.
      await log?.retry(options);
    },
    async close() {
      isClosed = true;
      // A log that is opened after this would keep the folder locked.
      await opening;
      await log?.close();
    },
  };
}

const unread = "its records were not read";

function unopened(folder: string, fault: unknown): Condition {
  const why = `${folder} could not be opened: ${describeFault(fault)}`;
  return { state: isFull(fault) ? "full" : "readonly", why };
}
