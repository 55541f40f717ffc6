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
 * Opens the ledger in a folder, which is made where it is not there. Rejects as `openLog` does, and
 * where the folder holds something else than a ledger.
 */
export function openFilesLedger(folder: string, medium: LedgerMedium): Promise<Ledger> {
  return createKeptLedger(({ read, checkpoint }) =>
    openLog(folder, { ...medium, replay: read, checkpoint })
  );
}
