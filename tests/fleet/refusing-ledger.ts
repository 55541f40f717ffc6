/**
 * A ledger that cannot store values, for tests.
 *
 * @module
 */
import { type Bucket, type Ledger, LedgerError } from "../../fleet/ledger/ledger.ts";

/** A ledger that stores no value, and says so by `fault`, in a bucket for which `refuses` holds. */
export function refusingLedger(
  ledger: Ledger,
  refuses: (bucket: Bucket) => boolean,
  fault: LedgerError = new LedgerError("unavailable", "the ledger is full"),
): Ledger {
  return {
    ...ledger,
    put: (bucket, ...given) =>
      refuses(bucket) ? Promise.reject(fault) : ledger.put(bucket, ...given),
  };
}
