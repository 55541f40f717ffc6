/**
 * A batch that a hub keeps, with one result for each console, and its branch of the hub's tree.
 *
 * @module
 */
import type { Branch, Patch } from "../../core/tree/tree.ts";
import { type CommandOutcome, type CommandResult, OUTCOMES } from "../commands/command.ts";
import type { ConsoleEntry } from "../hub/hub-core.ts";
import type { ConsoleId } from "../wire.ts";
import { type BatchOrder, titleOf } from "./batch-order.ts";
import type { BatchOrigin } from "./stored-batches.ts";

/** The facts of a batch that do not change after its beginning. */
export interface BatchFacts extends BatchOrigin {
  readonly order: BatchOrder;
}

/** The result of a batch at a console, without the members that are equal in the whole batch. */
export type BatchResult =
  & Pick<CommandResult, "outcome" | "time" | "why" | "code" | "result">
  & Pick<ConsoleEntry, "id">
  & { readonly name: string; readonly site: string };

/** A batch that is kept. */
export interface KeptBatch {
  readonly facts: BatchFacts;
  /** By the ids of the consoles, in the order in which they were selected. */
  readonly results: ReadonlyMap<ConsoleId, BatchResult>;
  readonly counts: Readonly<Record<CommandOutcome, number>>;
  /** Whether no command of it waits or is under way: each console has its outcome. */
  readonly isSettled: boolean;
}

/** Returns a batch as a branch of the tree. */
export function branchOf(batch: KeptBatch): Branch & Patch {
  const { id, by, order: { request, kind }, created, expires, at, again = "" } = batch.facts;
  return {
    _id: id,
    _by: by,
    _created: instant(created),
    _request: titleOf(request),
    _kind: kind,
    _expires: instant(expires),
    _at: at === undefined ? "" : instant(at),
    _again: again,
    _consoles: batch.results.size,
    ...stateOf(batch),
    results: resultsBranch([...batch.results.values()]),
  };
}

/** Returns results as a branch, by the ids of their consoles. */
export function resultsBranch(results: readonly BatchResult[]): Branch & Patch {
  // Many results have the same time, and formatting a time takes longer than all the rest.
  const instants = new Map<number, string>();
  const leaves: Record<ConsoleId, Branch & Patch> = {};
  for (const { id, name, site, outcome, time, why = "", code = 0 } of results) {
    const at = instants.get(time) ?? instant(time);
    instants.set(time, at);
    leaves[id] = { _name: name, _site: site, _outcome: outcome, _time: at, _why: why, _code: code };
  }
  return leaves;
}

/** Returns the part of the branch of a batch that changes with each result. */
export function stateOf({ counts, isSettled }: KeptBatch): Branch & Patch {
  return {
    _state: isSettled ? "settled" : "running",
    counts: Object.fromEntries(OUTCOMES.map((outcome) => [`_${outcome}`, counts[outcome]])),
  };
}

function instant(time: number): string {
  return new Date(time).toISOString();
}
