/**
 * A ledger in memory, which forgets when the hub ends: for tests, and for a hub to try.
 *
 * @module
 */
import { createKeptLedger } from "./kept-ledger.ts";
import type { Ledger } from "./ledger.ts";

/** Opens a ledger in memory. */
export function openMemoryLedger(): Promise<Ledger> {
  const store = { append: () => Promise.resolve(), close: () => Promise.resolve() };
  return createKeptLedger(() => Promise.resolve(store));
}
