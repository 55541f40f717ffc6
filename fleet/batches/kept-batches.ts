/**
 * The batches whose results a hub keeps: each with one result for each console, as a branch of the
 * tree of the hub, for as long as the limits allow.
 *
 * @module
 */
import { createListeners } from "../../client/listeners.ts";
import { isLarge, type Json } from "../../core/json.ts";
import { after, type Clock, type Timer } from "../../core/ports.ts";
import type { Branch, Patch } from "../../core/tree/tree.ts";
import { type CommandOutcome, OUTCOMES } from "../commands/command.ts";
import { BATCH_KEPT_MS, BATCH_RESULT_CHARACTERS } from "../hub/hub-limits.ts";
import type { ConsoleId } from "../wire.ts";
import { droppedFor } from "./batch-room.ts";
import {
  type BatchFacts,
  type BatchResult,
  branchOf,
  type KeptBatch,
  resultsBranch,
  stateOf,
} from "./kept-batch.ts";

/**
 * Minimum interval in ms between two changes of batches that are told; the one by which a batch is
 * settled, for which a user waits, is told at once.
 */
const CHANGES_MS = 40;

/** Interval in ms at which batches that are too old are looked for. */
const LOOK_MS = 60_000;

/** A change of a batch in the tree, and the user who ordered it: that user and admins see it. */
export interface BatchChange extends Pick<BatchFacts, "by" | "userSince"> {
  readonly patch: Patch;
}

/** The batches. */
export interface KeptBatches {
  readonly batches: ReadonlyMap<string, KeptBatch>;
  /** Returns a batch of {@link batches} as its branch of the tree, which is immutable. */
  branchOf(id: string): Branch;
  /**
   * Adds a batch with its present results; false where there is no room, because too many others
   * are not settled yet, and of live commands or not in the ledger yet.
   */
  add(facts: BatchFacts, results: readonly BatchResult[]): boolean;
  /** Notes that the ledger has a batch of kept commands, so that it may be dropped here. */
  stored(batch: string): void;
  /** Takes a result of a console; one of a batch that is not kept is dropped. */
  take(batch: string, console: ConsoleId, result: Omit<BatchResult, "id" | "name" | "site">): void;
  /** Calls `listener` with each change; the returned function ends that. */
  watch(listener: (change: BatchChange) => void): () => void;
  close(): void;
}

/** A batch in the form that only this file alters. */
interface Batch extends KeptBatch {
  readonly results: Map<ConsoleId, BatchResult>;
  readonly counts: Record<CommandOutcome, number>;
  isSettled: boolean;
  isStored: boolean;
  changedAt: number;
  /** Undefined until somebody asks for it after a change of the batch. */
  branch: Branch | undefined;
}

/** Makes the store of kept batches, which is empty at first. */
export function createKeptBatches(
  { clock, timer }: { readonly clock: Clock; readonly timer: Timer },
): KeptBatches {
  const batches = new Map<string, Batch>();
  const listeners = createListeners<BatchChange>();
  /** The consoles whose results are not told yet, by their batches. */
  const changed = new Map<Batch, Set<ConsoleId>>();
  let told = -Infinity;
  let cancelTelling: (() => void) | undefined;
  let cancelLooking = after(timer, LOOK_MS, look);

  function look(): void {
    for (const batch of batches.values()) {
      const since = Math.max(batch.changedAt, batch.facts.expires);
      const isOver = batch.isSettled ? batch.changedAt : since;
      if (clock.now() - isOver >= BATCH_KEPT_MS) drop(batch);
    }
    cancelLooking = after(timer, LOOK_MS, look);
  }

  function drop({ facts: { id, by, userSince } }: KeptBatch): void {
    batches.delete(id);
    listeners.tell({ by, userSince, patch: { batches: { [id]: { _state: "removed" } } } });
  }

  function touch(batch: Batch, console: ConsoleId): void {
    const consoles = changed.get(batch) ?? new Set();
    changed.set(batch, consoles.add(console));
    cancelTelling ??= timer.at(Math.max(timer.monotonic(), told + CHANGES_MS), tell);
  }

  function tell(): void {
    cancelTelling?.();
    cancelTelling = undefined;
    told = timer.monotonic();
    const toTell = [...changed];
    // A listener may cause a further change.
    changed.clear();
    for (const [batch, consoles] of toTell) {
      const { facts: { id, by, userSince }, results } = batch;
      if (batches.get(id) !== batch) continue;
      const changedResults = [...consoles].map((id) => results.get(id)!);
      const patch = { ...stateOf(batch), results: resultsBranch(changedResults) };
      listeners.tell({ by, userSince, patch: { batches: { [id]: patch } } });
    }
  }

  return {
    batches,
    branchOf(id) {
      const batch = batches.get(id)!;
      return batch.branch ??= branchOf(batch);
    },
    add(facts, results) {
      const dropped = droppedFor(batches.values(), facts.by, results.length);
      if (dropped === undefined) return false;
      dropped.forEach(drop);
      const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<
        CommandOutcome,
        number
      >;
      for (const { outcome } of results) counts[outcome]++;
      const batch: Batch = {
        facts,
        results: new Map(results.map((result) => [result.id, result])),
        counts,
        isSettled: counts.queued + counts.sent === 0,
        isStored: false,
        changedAt: clock.now(),
        branch: undefined,
      };
      batches.set(facts.id, batch);
      const { by, userSince } = facts;
      listeners.tell({ by, userSince, patch: { batches: { [facts.id]: branchOf(batch) } } });
      return true;
    },
    stored(id) {
      const batch = batches.get(id);
      if (batch !== undefined) batch.isStored = true;
    },
    take(id, console, { outcome, time, why, code, result }) {
      const batch = batches.get(id);
      const before = batch?.results.get(console);
      if (batch === undefined || before === undefined || isFinal(before.outcome, outcome)) return;
      const { name, site } = before;
      batch.results.set(console, {
        ...{ id: console, name, site, outcome, time },
        ...(why === undefined ? {} : { why }),
        ...(code === undefined ? {} : { code }),
        ...(result === undefined || !isShort(result) ? {} : { result }),
      });
      batch.counts[before.outcome]--;
      batch.counts[outcome]++;
      batch.isSettled = batch.counts.queued + batch.counts.sent === 0;
      batch.changedAt = clock.now();
      batch.branch = undefined;
      touch(batch, console);
      if (batch.isSettled) tell();
    },
    watch: listeners.add,
    close() {
      cancelTelling?.();
      cancelLooking();
    },
  };
}

/**
 * Says whether an outcome stays as it is. The answer of a console does. After `unknown`, and after
 * a refusal of this hub alone, a command can still turn out to be in the ledger: another hub may
 * have taken the same order.
 */
function isFinal(before: CommandOutcome, now: CommandOutcome): boolean {
  if (before === "done" || before === "expired") return true;
  const isDoubtful = before === "refused" || before === "unknown";
  return isDoubtful && (now === "sent" || now === "unknown");
}

function isShort(result: Json): boolean {
  return !isLarge(result) && JSON.stringify(result).length <= BATCH_RESULT_CHARACTERS;
}
