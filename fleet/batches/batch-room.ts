/**
 * The room of a hub for batches: which older batches it drops for a new one.
 *
 * @module
 */
import { BATCH_RESULTS, BATCHES } from "../hub/hub-limits.ts";
import type { KeptBatch } from "./kept-batch.ts";

/** A batch that takes room, and whether the ledger has it, too. */
type Kept = KeptBatch & { readonly isStored: boolean };

/**
 * Returns the batches to drop so that there is room for a new batch `by` a user with a number of
 * `results`. If this user has too many batches or results, they are of this user; if all users
 * together have too many, of the user whose batches that may be dropped have the most results.
 * Undefined if there is no room even then. `batches` begins with the oldest.
 */
export function droppedFor(
  batches: Iterable<Kept>,
  by: string,
  results: number,
): readonly Kept[] | undefined {
  const left = new Set(batches);
  const dropped: Kept[] = [];
  while (true) {
    const crowd = crowdFor([...left], by, results);
    if (crowd === undefined) return dropped;
    const first = firstToDrop(crowd);
    if (first === undefined) return undefined;
    left.delete(first);
    dropped.push(first);
  }
}

/** Returns the batches of which one has to be dropped next; undefined if there is room. */
function crowdFor(
  batches: readonly Kept[],
  by: string,
  results: number,
): readonly Kept[] | undefined {
  const isTooMuch = (of: readonly Kept[], most: "all" | "ofUser") =>
    of.length >= BATCHES[most] || resultsOf(of) + results > BATCH_RESULTS[most];
  const own = batches.filter(({ facts }) => facts.by === by);
  if (isTooMuch(own, "ofUser")) return own;
  return isTooMuch(batches, "all") ? ofGreatest(batches) : undefined;
}

/** Returns the batches that may be dropped, of the user for whom these have the most results. */
function ofGreatest(batches: readonly Kept[]): readonly Kept[] {
  const ofUsers = new Map<string, Kept[]>();
  for (const batch of batches.filter(mayDrop)) {
    const own = ofUsers.get(batch.facts.by) ?? [];
    ofUsers.set(batch.facts.by, own);
    own.push(batch);
  }
  return [...ofUsers.values()].sort((one, other) => resultsOf(other) - resultsOf(one))[0] ?? [];
}

/**
 * Returns the batch to drop first: the oldest settled one, first of kept commands, and at last one
 * that is not settled, but in the ledger. Undefined if none may be dropped.
 */
function firstToDrop(batches: readonly Kept[]): Kept | undefined {
  const settled = batches.filter(({ isSettled }) => isSettled);
  // The ledger has most batches of kept commands, too; one of live commands is here alone.
  return settled.find(({ facts }) => facts.order.kind === "kept") ?? settled[0] ??
    batches.find(mayDrop);
}

function mayDrop({ isSettled, isStored }: Kept): boolean {
  return isSettled || isStored;
}

function resultsOf(batches: readonly Kept[]): number {
  return batches.reduce((sum, { results }) => sum + results.size, 0);
}
