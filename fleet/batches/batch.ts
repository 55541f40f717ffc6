/**
 * Batches: one request that a user has many consoles carry out, a preview of it, and the results.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import type { Clock, Random, Timer } from "../../core/ports.ts";
import type { Branch } from "../../core/tree/tree.ts";
import type { CommandResult } from "../commands/command.ts";
import type { FleetActor, HubCore } from "../hub/hub-core.ts";
import type { Person } from "../hub/rights.ts";
import { type BatchOrder, titleOf } from "./batch-order.ts";
import type { BatchPreview } from "./batch-preview.ts";
import { createBatchPreviews } from "./batch-previews.ts";
import { createBegunBatches } from "./begun-batches.ts";
import type { KeptBatch } from "./kept-batch.ts";
import { type BatchChange, createKeptBatches } from "./kept-batches.ts";
import { seenBy } from "./ready-batch.ts";
import type { Selection } from "./selection.ts";
import { createShownBatches, mayHear } from "./shown-batches.ts";

type Who = Person | undefined;

/**
 * The batches of a hub. A batch is shown to the user who ordered it, and to admins. Batches of kept
 * commands are in the ledger, too: the hub takes one into its memory when somebody asks for it.
 */
export interface Batches {
  /**
   * Does an order. Resolves once each kept command is in the ledger; the results come later. An id
   * that is given again begins no second batch, and has the hub try again to store one that the
   * ledger did not take. Refused as a whole: an order out of its limits, one
   * that selects no console, and an id that another order has.
   */
  run(order: BatchOrder, actor: FleetActor, id?: string): Promise<KeptBatch | Refusal>;
  /** Says for each console what an order would do there; nothing is done. */
  preview(order: BatchOrder, actor: FleetActor): Promise<readonly BatchPreview[] | Refusal>;
  /** Does a batch again where it was refused, has expired or is unknown. */
  again(batch: string, actor: FleetActor, id?: string): Promise<KeptBatch | Refusal>;
  /**
   * Returns a batch; refused (6) where the actor sees none of that id, and (11) where there is no
   * room in the memory for one of the ledger.
   */
  find(batch: string, actor: FleetActor): KeptBatch | Refusal;
  /** Returns the batches in the memory of this hub that a user sees, as a branch. */
  shownTo(user: Who): Branch;
  /** Says whether a user sees a change. */
  isShown(change: BatchChange, user: Who): boolean;
  /** Calls `listener` with each change; the returned function ends that. */
  watch(listener: (change: BatchChange) => void): () => void;
  close(): void;
}

/** The ports of the batches. */
export interface BatchesWorld {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: Random;
}

/** The part of a hub that batches use. */
export type BatchesCore = Pick<
  HubCore,
  "consoles" | "mayAt" | "tell" | "commands" | "storedBatches" | "templates"
>;

/** Makes the batches of a hub, none at first. */
export function createBatches(core: BatchesCore, world: BatchesWorld): Batches {
  const { clock, random } = world;
  const kept = createKeptBatches(world);
  const shown = createShownBatches(core, kept);
  const { find } = shown;
  const begun = createBegunBatches({ core, kept, find, clock, random });
  const stop = core.commands.watch(({ batch, console, ...result }) =>
    kept.take(batch, console, result)
  );

  async function again(
    id: string,
    actor: FleetActor,
    newId?: string,
  ): Promise<KeptBatch | Refusal> {
    const before = find(id, actor);
    if (isRefusal(before)) return before;
    // Consoles that had failed may have succeeded since: a repeated request has the order of the
    // first one.
    const repeated = newId === undefined ? undefined : find(newId, actor);
    if (repeated !== undefined && !isRefusal(repeated) && repeated.facts.again === id) {
      return await begun.run(repeated.facts.order, actor, newId, id);
    }
    const { facts: { order }, results } = before;
    const seen = seenBy(core, actor.user);
    const failed = [...results.values()].filter(({ outcome }) => FAILED.has(outcome));
    const ids = failed.map(({ id }) => id).filter((id) => seen.has(id));
    if (ids.length === 0) {
      const why = failed.length === 0
        ? "no console of this batch has failed"
        : "the consoles at which this batch has failed are no longer in the fleet, or not for you";
      return refuse("invalidParameter", why, "id");
    }
    const { at: _, ...rest } = order;
    return await begun.run({ ...rest, select: { ids } satisfies Selection }, actor, newId, id);
  }

  function told(
    what: string,
    { user, from }: FleetActor,
    title: string,
    outcome: KeptBatch | Refusal,
  ): void {
    const target = isRefusal(outcome)
      ? { request: title }
      : { request: title, batch: outcome.facts.id, consoles: outcome.results.size };
    const why = isRefusal(outcome) ? outcome.message : whyNowhere(outcome);
    const refused = why === undefined ? {} : { refused: why };
    core.tell({ user: user?.name, from, what, target, ...refused });
  }

  return {
    async run(order, actor, id) {
      const isNew = id === undefined || !begun.has(id);
      const outcome = await begun.run(order, actor, id);
      if (isNew || isRefusal(outcome)) told("fleetdo", actor, titleOf(order.request), outcome);
      return outcome;
    },
    preview: createBatchPreviews(core, world),
    async again(batch, actor, id) {
      const isNew = id === undefined || !begun.has(id);
      const outcome = await again(batch, actor, id);
      const isRefused = isRefusal(outcome);
      const title = isRefused ? batch : titleOf(outcome.facts.order.request);
      if (isNew || isRefused) told("fleetagain", actor, title, outcome);
      return outcome;
    },
    find,
    shownTo: shown.branchFor,
    isShown: (change, user) => mayHear(user, change),
    watch: kept.watch,
    close() {
      stop();
      begun.close();
      kept.close();
    },
  };
}

/** The outcomes after which a batch is done again. */
const FAILED: ReadonlySet<CommandResult["outcome"]> = new Set(["refused", "expired", "unknown"]);

/** Returns why the first console refused, if all consoles of a batch have refused. */
function whyNowhere({ counts, results }: KeptBatch): string | undefined {
  const [first] = results.values();
  return counts.refused === results.size ? first?.why ?? "" : undefined;
}
