/**
 * Batches: one request that a user has many consoles carry out, a preview of it, and the results.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { canonicalJson } from "../../core/json.ts";
import type { Clock, Random, Timer } from "../../core/ports.ts";
import { shown } from "../../core/shown.ts";
import type { Branch } from "../../core/tree/tree.ts";
import { type BatchOrder, type Planned, planOf, titleOf } from "./batch-order.ts";
import type { BatchPreview } from "./batch-preview.ts";
import { createBatchPreviews } from "./batch-previews.ts";
import { recordedBatch, recordOf, withoutSelection } from "./batch-record.ts";
import type { CommandResult } from "../commands/command.ts";
import type { FleetActor, HubCore } from "../hub/hub-core.ts";
import {
  type BatchChange,
  type BatchResult,
  createKeptBatches,
  type KeptBatch,
} from "./kept-batches.ts";
import { commandsIn, mayOf, newBatchId, readyBatch, seenBy } from "./ready-batch.ts";
import type { Person } from "../hub/rights.ts";
import type { Selection } from "./selection.ts";
import type { BatchRecord, BatchTerms, StoredBatch } from "./stored-batches.ts";
import { outcomesOf, submitBatch } from "./submit-batch.ts";

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

/** The user and the order of a batch that was begun, by which its repetition is recognized. */
interface Begun {
  readonly by: string;
  readonly text: string;
  readonly ready: Promise<unknown>;
}

/** Makes the batches of a hub, none at first. */
export function createBatches(core: BatchesCore, world: BatchesWorld): Batches {
  const { clock, random } = world;
  const kept = createKeptBatches(world);
  const parts = { core, kept, clock };
  const begun = new Map<string, Begun>();
  const stop = core.commands.watch(({ batch, console, ...result }) =>
    kept.take(batch, console, result)
  );
  const forget = kept.watch(({ patch }) => {
    for (const id of Object.keys(patch.batches!)) if (!kept.batches.has(id)) begun.delete(id);
  });

  async function run(
    order: BatchOrder,
    actor: FleetActor,
    id = newBatchId(random),
    again?: string,
  ): Promise<KeptBatch | Refusal> {
    const by = actor.user?.name ?? "";
    const text = textOf(order, again);
    const before = begun.get(id);
    if (before !== undefined) {
      if (before.by !== by || before.text !== text) return anotherHas(id);
      await before.ready;
      return find(id, actor);
    }
    const stored = core.storedBatches.find(id);
    if (stored !== undefined) return await goOn(stored, order, actor, again);
    const unstored = kept.batches.get(id);
    if (unstored !== undefined) {
      const { facts } = unstored;
      if (textOf(facts.order, facts.again) !== text) return anotherHas(id);
      // Nothing was sent, or the ledger has forgotten it; a console does no command twice.
      const record = { ...recordOf(unstored, outcomesOf(core, id)), refused: {} };
      return await goOn(record, order, actor, again);
    }
    const ready = readyBatch(core, order, actor, id, clock.now());
    if (isRefusal(ready)) return ready;
    const { created, times, plan } = ready;
    const userSince = sinceOf(actor.user);
    const facts = { id, by, userSince, order, created, ...times, again };
    const results = plan.map(({ console: { id, summary: { name, site } } }): BatchResult => ({
      ...{ id, name, site, time: created },
      outcome: "queued",
    }));
    if (!kept.add(facts, results)) return NO_ROOM;
    await submit(id, plan, by, text);
    return find(id, actor);
  }

  /** Submits the commands of a batch that is in the memory. */
  async function submit(
    id: string,
    plan: readonly Planned[],
    by: string,
    text: string,
  ): Promise<void> {
    const submitted = submitBatch(parts, id, plan);
    begun.set(id, { by, text, ready: submitted });
    // When its order is repeated, the hub tries again to store it.
    if (!await submitted) begun.delete(id);
  }

  /**
   * Answers an order whose batch was recorded before, and submits the commands that the ledger
   * lacks: the hub that took the batch may have ended before they were all stored, and this hub may
   * not have stored the batch itself.
   */
  async function goOn(
    stored: BatchRecord,
    order: BatchOrder,
    actor: FleetActor,
    again: string | undefined,
  ): Promise<KeptBatch | Refusal> {
    const { id, by, userSince, consoles, refused, expires, at } = stored;
    const isSame = by === actor.user?.name && userSince === sinceOf(actor.user) &&
      textOf(stored.order, stored.again) === textOf(withoutSelection(order), again);
    if (!isSame) return anotherHas(id);
    const batch = find(id, actor);
    if (isRefusal(batch)) return batch;
    const entries = core.consoles();
    const lacking = consoles.filter((console) =>
      refused[console] === undefined && core.commands.outcomeOf({ console, id }) === undefined
    ).flatMap((console) => entries.get(console) ?? []);
    const times = at === undefined ? { expires } : { expires, at };
    const plan = planOf(lacking, order, id, times, { actor, mayAt: mayOf(core, actor) });
    // A command that is refused only because this hub did not store it is not recorded as refused.
    for (const { console } of commandsIn(plan)) {
      kept.take(id, console, { outcome: "queued", time: clock.now() });
    }
    await submit(id, plan, by, textOf(order, again));
    return batch;
  }

  /** Takes a batch of the ledger into the memory; returns false where there is no room. */
  function recall({ length: _, ...record }: StoredBatch): boolean {
    const { facts, results } = recordedBatch(record, core.consoles(), outcomesOf(core, record.id));
    const isAdded = kept.add(facts, results);
    kept.stored(record.id);
    return isAdded;
  }

  function find(id: string, { user }: FleetActor): KeptBatch | Refusal {
    if (!kept.batches.has(id)) {
      const stored = core.storedBatches.find(id);
      const isShown = stored !== undefined && mayHear(user, stored);
      if (isShown && !recall(stored)) return NO_ROOM;
    }
    const batch = kept.batches.get(id);
    return batch !== undefined && mayHear(user, batch.facts) ? batch : noBatch(id);
  }

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
      return await run(repeated.facts.order, actor, newId, id);
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
    return await run({ ...rest, select: { ids } satisfies Selection }, actor, newId, id);
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
      const outcome = await run(order, actor, id);
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
    shownTo: (user) =>
      Object.fromEntries(
        [...kept.batches].filter(([, { facts }]) => mayHear(user, facts))
          .map(([id]) => [id, kept.branchOf(id)]),
      ),
    isShown: (change, user) => mayHear(user, change),
    watch: kept.watch,
    close() {
      stop();
      forget();
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

type Owner = Pick<BatchChange, "by" | "userSince">;

function mayHear(user: Who, { by, userSince }: Owner): boolean {
  if (user === undefined) return false;
  return user.may === "admin" || (user.name === by && userSince === sinceOf(user));
}

/** Returns when a user was added; this is known for each user who has logged in on this hub. */
function sinceOf(user: Who): string | undefined {
  return (user as { readonly created?: string } | undefined)?.created;
}

const NO_ROOM = refuse("limitReached", "too many batches are not settled yet");

function noBatch(id: string): Refusal {
  const why = `there is no batch ${shown(id)}, or a hub that has restarted had it in ` +
    "its memory alone";
  return refuse("noSuchObject", why, "id");
}

function anotherHas(id: string): Refusal {
  return refuse("invalidParameter", `another batch has the id ${shown(id)}`, "id");
}

/** Returns an order as a text, so that another order shows as another text. */
function textOf(order: BatchTerms, again: string | undefined): string {
  return canonicalJson(withoutUndefined([order, again ?? ""]));
}

/** JSON has no `undefined`: a member that is undefined is the same as none. */
function withoutUndefined<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}
