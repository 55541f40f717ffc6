/**
 * The ledger of one hub in a log of its own (docs/storage.md).
 *
 * @module
 */
import type { DiskLogOptions } from "../../storage/log.ts";
import { openLog } from "../../storage/log.ts";
import { createKeptLedger } from "./kept-ledger.ts";
import type { Ledger } from "./ledger.ts";

/** The log of a ledger, on its medium. */
export type LedgerMedium = Pick<
  DiskLogOptions,
  "files" | "random" | "timer" | "scheduler" | "segmentBytes" | "onCondition"
>;

/**
 * Opens the ledger in a folder, which is made if it does not exist. Rejects as `openLog` does, and
 * if the folder does not hold a ledger. `onCondition` is called at the start, too, where the medium
 * takes no writes then.
 */
export function openFilesLedger(folder: string, medium: LedgerMedium): Promise<Ledger> {
  return createKeptLedger(async ({ read, checkpoint }) => {
    const log = await openLog(folder, { ...medium, replay: read, checkpoint });
    if (log.condition.state !== "ok") medium.onCondition?.(log.condition);
    return log;
  });
}
