/**
 * The record of a batch in the ledger, made from a batch in the memory of a hub, and back.
 *
 * @module
 */
import type { KnownOutcome } from "../commands/command.ts";
import type { ConsoleEntry } from "../hub/hub-core.ts";
import type { ConsoleId } from "../wire.ts";
import type { BatchOrder } from "./batch-order.ts";
import type { BatchFacts, BatchResult, KeptBatch } from "./kept-batch.ts";
import type { BatchRecord, BatchTerms } from "./stored-batches.ts";

/**
 * Returns the outcome of the command of a batch at a console; undefined if the ledger has neither
 * the command nor its result.
 */
export type OutcomeAt = (console: ConsoleId) => KnownOutcome | undefined;

/** Makes the record of a batch. */
export function recordOf(
  { facts: { order, ...facts }, results }: KeptBatch,
  outcomeAt: OutcomeAt,
): BatchRecord {
  const refused: Record<ConsoleId, Pick<BatchResult, "why" | "code">> = {};
  for (const [console, { outcome, why, code }] of results) {
    if (outcome !== "refused" || outcomeAt(console) !== undefined) continue;
    refused[console] = { ...(why && { why }), ...(code && { code }) };
  }
  return { ...facts, order: withoutSelection(order), consoles: [...results.keys()], refused };
}

/** A batch as it was recorded. */
export interface RecordedBatch {
  readonly facts: BatchFacts;
  readonly results: readonly BatchResult[];
}

/** Makes the batch of a record; `entries` are the consoles that the hub knows now. */
export function recordedBatch(
  { order, consoles, refused, ...facts }: BatchRecord,
  entries: ReadonlyMap<ConsoleId, ConsoleEntry>,
  outcomeAt: OutcomeAt,
): RecordedBatch {
  const results = consoles.map((id): BatchResult => {
    // A console that was removed has the start of its id as its name.
    const { name, site } = entries.get(id)?.summary ?? { name: id.slice(0, 8), site: "" };
    const time = facts.created;
    // The hub that noted the refusal may not have known that another hub took the command.
    const known = outcomeAt(id);
    if (known === undefined && refused[id] !== undefined) {
      return { id, name, site, time, outcome: "refused", ...refused[id] };
    }
    return { id, name, site, ...(known ?? NEVER_STORED), time: known?.time ?? time };
  });
  return { facts: { ...facts, order: { ...order, select: { ids: consoles } } }, results };
}

/** The outcome at a console for which the ledger has neither a command nor a result. */
const NEVER_STORED: KnownOutcome = {
  outcome: "unknown",
  why: "the ledger has no command for it: the hub that took the batch ended before it had stored " +
    "it, or is just storing it",
  time: undefined,
};

/** Returns the terms of an order, which are the same for all its consoles. */
export function withoutSelection({ select: _, ...order }: BatchOrder): BatchTerms {
  return order;
}
