/**
 * A ledger whose watchers hear late, for tests.
 *
 * @module
 */
import type { Bucket, Entry, Ledger } from "../../fleet/ledger/ledger.ts";

/** A ledger that reports each entry for which `isLate` holds only at the next `hear()`. */
export function lateLedger(
  ledger: Ledger,
  isLate: (bucket: Bucket, entry: Entry) => boolean,
): { readonly late: Ledger; hear(): void } {
  const held: (() => void)[] = [];
  return {
    late: {
      ...ledger,
      async *watch(bucket) {
        for await (const entry of ledger.watch(bucket)) {
          if (entry !== "current" && isLate(bucket, entry)) {
            await new Promise<void>((resolve) => held.push(resolve));
          }
          yield entry;
        }
      },
    },
    hear() {
      for (const release of held.splice(0)) release();
    },
  };
}
