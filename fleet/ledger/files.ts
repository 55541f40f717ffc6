/**
 * The ledger of one hub in a log of its own (docs/storage.md).
 *
 * @module
 */
import { STORAGE_RETRY_MS } from "../../core/limits.ts";
import { after } from "../../core/ports.ts";
import type { Condition } from "../../storage/contract.ts";
import { type DiskLogOptions, openLog } from "../../storage/log.ts";
import { HoldsRecords, reopenedLog } from "../../storage/reopened-log.ts";
import { createKeptLedger } from "./kept-ledger.ts";
import type { Ledger } from "./ledger.ts";

/** The log of a ledger, on its medium. Without a `timer` only a change tries a failed log again. */
export type LedgerMedium = Pick<
  DiskLogOptions,
  "files" | "random" | "timer" | "scheduler" | "segmentBytes" | "onCondition"
>;

/**
 * Opens the ledger in a folder, which is made if it does not exist. Rejects as `openLog` does, and
 * if the folder does not hold a ledger. `onCondition` is called at the start, too, where the medium
 * takes no writes then. If the folder is emptied or removed, the whole ledger is stored anew once
 * the folder is there again, unless it holds other records by then.
 */
export function openFilesLedger(folder: string, medium: LedgerMedium): Promise<Ledger> {
  return createKeptLedger(async ({ read, checkpoint }) => {
    const { files, timer } = medium;
    let told: Condition = { state: "ok" };
    let stopWaiting: (() => void) | undefined;
    let isClosed = false;
    const options = { ...medium, checkpoint, onCondition };
    const first = await openLog(folder, { ...options, replay: read });
    const log = reopenedLog(folder, first, async () => {
      // A folder that somebody removed is not made anew behind their back.
      await files.list(folder);
      return await openLog(folder, { ...options, replay: refuseRecords });
    });
    onCondition(first.condition);

    function onCondition(condition: Condition): void {
      const { state, why } = condition;
      if (state !== told.state || why !== told.why) medium.onCondition?.(condition);
      told = condition;
      if (timer === undefined || isClosed || state === "ok" || state === "damaged") return;
      stopWaiting ??= after(timer, STORAGE_RETRY_MS.most, retry);
    }

    async function retry(): Promise<void> {
      await log.retry();
      stopWaiting = undefined;
      onCondition(log.condition);
    }

    return {
      append: log.append,
      close() {
        isClosed = true;
        stopWaiting?.();
        return log.close();
      },
    };
  });
}

function refuseRecords(): never {
  throw new HoldsRecords();
}
