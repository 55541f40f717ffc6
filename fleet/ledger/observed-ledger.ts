/**
 * A ledger that tells the hub whether it stores changes.
 *
 * @module
 */
import { isLedgerError, type Ledger } from "./ledger.ts";

/** A ledger, and its condition. */
export interface ObservedLedger {
  readonly ledger: Ledger;
  /**
   * Whether its medium takes writes; of a ledger without a medium here, whether it is connected, and
   * the last write was stored or was refused as a conflict.
   */
  readonly isStoring: boolean;
}

/**
 * Observes the writes of a ledger. If its medium is known, `takesWrites` says whether that takes
 * writes now, which it may do again before the next write.
 */
export function observeLedger(ledger: Ledger, takesWrites?: () => boolean): ObservedLedger {
  let isStoring = true;

  async function observed<Result>(write: Promise<Result>): Promise<Result> {
    try {
      const result = await write;
      isStoring = true;
      return result;
    } catch (fault) {
      // A conflict is an answer of a ledger that works.
      isStoring = isLedgerError(fault) && fault.code === "conflict";
      throw fault;
    }
  }

  return {
    ledger: {
      ...ledger,
      put: (...given) => observed(ledger.put(...given)),
      remove: (...given) => observed(ledger.remove(...given)),
      append: (entry) => observed(ledger.append(entry)),
    },
    get isStoring() {
      return takesWrites?.() ?? (isStoring && (ledger.isConnected?.() ?? true));
    },
  };
}
