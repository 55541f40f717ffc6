/**
 * The refusal of a change that the ledger could not store.
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import { isLedgerError } from "./ledger.ts";

/** Returns the refusal for a fault of the ledger; throws any other fault. */
export function unavailable(fault: unknown): Refusal {
  if (!isLedgerError(fault)) throw fault;
  if (fault.code === "conflict") {
    return refuse("limitReached", "somebody else changed that at the same time; try again");
  }
  return refuse("notStored", fault.message);
}

/** Waits for a change of the ledger; resolves with the refusal if it could not be stored. */
export function storeRefusal(change: Promise<unknown>): Promise<Refusal | undefined> {
  return change.then(() => undefined, unavailable);
}
