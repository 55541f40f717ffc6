/**
 * The batches that were begun: an order begins one, and a repetition of the order finds it.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { canonicalJson } from "../../core/json.ts";
import type { Clock, Random } from "../../core/ports.ts";
import { shown } from "../../core/shown.ts";
import type { FleetActor, HubCore } from "../hub/hub-core.ts";
import { type BatchOrder, type Planned, planOf } from "./batch-order.ts";
import { recordOf, withoutSelection } from "./batch-record.ts";
import type { BatchResult, KeptBatch } from "./kept-batch.ts";
import type { KeptBatches } from "./kept-batches.ts";
import { commandsIn, mayOf, newBatchId, readyBatch } from "./ready-batch.ts";
import { NO_ROOM, type ShownBatches, sinceOf } from "./shown-batches.ts";
import type { BatchRecord, BatchTerms } from "./stored-batches.ts";
import { outcomesOf, submitBatch } from "./submit-batch.ts";

/** The parts of {@link createBegunBatches}. */
export interface BegunBatchesParts {
  readonly core: Pick<
    HubCore,
    "consoles" | "mayAt" | "commands" | "storedBatches" | "templates"
  >;
  readonly kept: KeptBatches;
  readonly find: ShownBatches["find"];
  readonly clock: Clock;
  readonly random: Random;
}

/** The batches that were begun. */
export interface BegunBatches {
  /**
   * Does an order; `again` is the id of the batch that it repeats. Resolves once each kept command
   * is in the ledger. An id that was given before begins no second batch; it is refused for another
   * order and for another user.
   */
  run(
    order: BatchOrder,
    actor: FleetActor,
    id?: string,
    again?: string,
  ): Promise<KeptBatch | Refusal>;
  /**
   * Says whether a batch of this id was begun here, so that a repetition of its order begins none.
   * It is forgotten once it has left the memory, or if the ledger did not take it.
   */
  has(id: string): boolean;
  close(): void;
}

/** The user and the order of a batch that was begun, by which its repetition is recognized. */
interface Begun {
  readonly by: string;
  readonly text: string;
  readonly ready: Promise<unknown>;
}

/** Makes the begun batches of a hub, none at first. */
export function createBegunBatches(parts: BegunBatchesParts): BegunBatches {
  const { core, kept, find, clock, random } = parts;
  const begun = new Map<string, Begun>();
  const close = kept.watch(({ patch }) => {
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

  return { run, has: (id) => begun.has(id), close };
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
