/**
 * Reading a bucket of a ledger, for tests.
 *
 * @module
 */
import type { Bucket, Entry, Ledger } from "../../fleet/ledger/ledger.ts";

/** The entries that a watcher of a bucket gets up to the word "current". */
export async function entriesOf(ledger: Ledger, bucket: Bucket): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of ledger.watch(bucket)) {
    if (entry === "current") return entries;
    entries.push(entry);
  }
  throw new Error("the ledger has ended");
}
