/**
 * A batch, as RPC methods answer with it.
 *
 * @module
 */
import { titleOf } from "../batches/batch-order.ts";
import type { KeptBatch } from "../batches/kept-batch.ts";

/** Returns the facts of a batch, and the number of its consoles with each outcome. */
export function reportOf({ facts, results, counts, isSettled }: KeptBatch) {
  const { id, by, order: { request, kind }, created, expires, at, again } = facts;
  return {
    id,
    by,
    request: titleOf(request),
    kind,
    created: instant(created),
    expires: instant(expires),
    ...(at === undefined ? {} : { at: instant(at) }),
    ...(again === undefined ? {} : { again }),
    consoles: results.size,
    state: isSettled ? "settled" as const : "running" as const,
    counts: { ...counts },
  };
}

function instant(time: number): string {
  return new Date(time).toISOString();
}
