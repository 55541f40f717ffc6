/**
 * Batches: one request that a user has many consoles carry out, a preview of it, and the results.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { hexOf } from "../../core/hex.ts";
import { canonicalJson } from "../../core/json.ts";
import type { Clock, Random, Timer } from "../../core/ports.ts";
import { shown } from "../../core/shown.ts";
import type { Branch } from "../../core/tree/tree.ts";
import {
  type BatchOrder,
  type BatchTimes,
  orderRefusal,
  type Planned,
  planOf,
  timesOf,
  titleOf,
} from "./batch-order.ts";
import { type BatchPreview, previewOf, previewPart } from "./batch-preview.ts";
import { type OutcomeAt, recordedBatch, recordOf, withoutSelection } from "./batch-record.ts";
import type { Command, CommandResult, KnownOutcome } from "../commands/command.ts";
import { templateRefusal } from "../drift/templates.ts";
import type { ConsoleEntry, FleetActor, HubCore } from "../hub/hub-core.ts";
import { TOGETHER_MS } from "../hub/hub-limits.ts";
import {
  type BatchChange,
  type BatchResult,
  createKeptBatches,
  type KeptBatch,
} from "./kept-batches.ts";
import type { Person } from "../hub/rights.ts";
import { isLedgerError } from "../ledger/ledger.ts";
import { unavailable } from "../ledger/unavailable.ts";
import { select, type Selection } from "./selection.ts";
import type { BatchTerms, StoredBatch } from "./stored-batches.ts";
import type { ConsoleId, FleetMay } from "../wire.ts";

type Who = Person | undefined;

/**
 * The batches of a hub. A batch is shown to the user who ordered it, and to admins. Batches of kept
 * commands are in the ledger, too: the hub takes one into its memory when somebody asks for it.
 */
export interface Batches {
  /**
   * Does an order. Resolves once each kept command is in the ledger; the results come later. An id
   * that is given again begins no second batch. Refused as a whole: an order out of its limits, one
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

/** Number of bytes of an id. */
const ID_BYTES = 16;

/** The user and the order of a batch that was begun, by which its repetition is recognized. */
interface Begun {
  readonly by: string;
  readonly text: string;
  readonly ready: Promise<void>;
}

/** An order that can be carried out. */
interface Ready {
  /** When it was made, in ms since 1970. */
  readonly created: number;
  readonly times: BatchTimes;
  readonly plan: readonly Planned[];
}

/** Makes the batches of a hub, none at first. */
export function createBatches(core: BatchesCore, world: BatchesWorld): Batches {
  const { clock, random } = world;
  const kept = createKeptBatches(world);
  const begun = new Map<string, Begun>();
  /** The users whose previews are being made. */
  const previewing = new Set<string>();
  const stop = core.commands.watch(({ batch, console, ...result }) =>
    kept.take(batch, console, result)
  );
  const forget = kept.watch(({ patch }) => {
    for (const id of Object.keys(patch.batches!)) if (!kept.batches.has(id)) begun.delete(id);
  });

  function seenBy(user: Who): ReadonlyMap<ConsoleId, ConsoleEntry> {
    return new Map([...core.consoles()].filter(([id]) => core.mayAt(user, id) !== undefined));
  }

  function mayOf({ user }: FleetActor): (id: ConsoleId) => FleetMay | undefined {
    return (id) => core.mayAt(user, id);
  }

  function readyOf(order: BatchOrder, actor: FleetActor, batch: string): Ready | Refusal {
    if (actor.user === undefined) {
      return refuse("notLoggedIn", "expected the token of a user of the fleet", "token");
    }
    const isOfTemplate = order.select.drift !== undefined;
    const hidden = isOfTemplate ? templateRefusal(actor.user, "view") : undefined;
    if (hidden !== undefined) return hidden;
    const consoles = select(seenBy(actor.user), order.select, core.templates);
    if (isRefusal(consoles)) return consoles;
    const created = clock.now();
    const refusal = orderRefusal(order, consoles.length);
    if (refusal !== undefined) return refusal;
    const mayAt = mayOf(actor);
    const readyAt = (at: number | undefined): Ready | Refusal => {
      const times = timesOf({ ...order, at }, created);
      if (isRefusal(times)) return times;
      return { created, times, plan: planOf(consoles, order, batch, times, { actor, mayAt }) };
    };
    const ready = readyAt(order.at);
    const isTogether = order.together && !isRefusal(ready) && commandsIn(ready.plan).length > 1;
    return isTogether ? readyAt(created + TOGETHER_MS) : ready;
  }

  async function run(
    order: BatchOrder,
    actor: FleetActor,
    id = hexOf(random.bytes(ID_BYTES)),
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
    const ready = readyOf(order, actor, id);
    if (isRefusal(ready)) return ready;
    const { created, times, plan } = ready;
    const userSince = sinceOf(actor.user);
    const facts = { id, by, userSince, order, created, ...times, again };
    const results = plan.map(({ console: { id, summary: { name, site } } }): BatchResult => ({
      ...{ id, name, site, time: created },
      outcome: "queued",
    }));
    if (!kept.add(facts, results)) return NO_ROOM;
    const submitted = submit(id, plan);
    begun.set(id, { by, text, ready: submitted });
    await submitted;
    return kept.batches.get(id) ?? refuse("limitReached", "the batch is done, and not kept");
  }

  /**
   * Answers an order whose batch is in the ledger already, and submits the commands that are not:
   * the hub that took the batch may have ended before they were all stored.
   */
  async function goOn(
    stored: StoredBatch,
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
    const submitted = submit(id, planOf(lacking, order, id, times, { actor, mayAt: mayOf(actor) }));
    begun.set(id, { by, text: textOf(order, again), ready: submitted });
    await submitted;
    return batch;
  }

  async function submit(batch: string, plan: readonly Planned[]): Promise<void> {
    const time = clock.now();
    for (const planned of plan) {
      if (!("refused" in planned)) continue;
      const { message: why, code } = planned.refused;
      kept.take(batch, planned.console.id, { outcome: "refused", time, why, code });
    }
    const commands = commandsIn(plan);
    const isKept = kept.batches.get(batch)?.facts.order.kind === "kept";
    try {
      // First, so that no command is carried out whose batch nobody finds.
      if (isKept) await store(batch);
    } catch (fault) {
      const unsent = unsentBecause(fault);
      for (const { console } of commands) {
        const known = core.commands.outcomeOf({ console, id: batch }) ?? unsent;
        kept.take(batch, console, { ...known, time: known.time ?? clock.now() });
      }
      return;
    }
    try {
      if (commands.length > 0) await core.commands.submit(commands);
    } catch (fault) {
      const why = `the hub failed: ${fault instanceof Error ? fault.message : fault}`;
      for (const { console } of commands) {
        kept.take(batch, console, { outcome: "unknown", time: clock.now(), why });
      }
    }
    try {
      if (isKept) await store(batch);
    } catch (fault) {
      // The results that are not in the ledger are shown as unknown after a restart.
      if (!isLedgerError(fault)) throw fault;
    }
  }

  /** Stores a batch, unless the ledger has its present refusals already. */
  async function store(id: string): Promise<void> {
    const batch = kept.batches.get(id);
    if (batch === undefined) return;
    const record = recordOf(batch, outcomesOf(id));
    const before = core.storedBatches.find(id);
    if (before !== undefined && isSameSize(before.refused, record.refused)) return;
    await core.storedBatches.store(record);
  }

  /** Takes a batch of the ledger into the memory; returns false where there is no room. */
  function recall({ length: _, ...record }: StoredBatch): boolean {
    const { facts, results } = recordedBatch(record, core.consoles(), outcomesOf(record.id));
    return kept.add(facts, results);
  }

  function outcomesOf(id: string): OutcomeAt {
    return (console) => core.commands.outcomeOf({ console, id });
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

  async function preview(
    order: BatchOrder,
    actor: FleetActor,
  ): Promise<readonly BatchPreview[] | Refusal> {
    const by = actor.user?.name ?? "";
    if (previewing.has(by)) {
      return refuse("limitReached", "another preview for this user is being made; ask again");
    }
    const ready = readyOf(order, actor, hexOf(random.bytes(ID_BYTES)));
    if (isRefusal(ready)) return ready;
    previewing.add(by);
    try {
      const { plan } = ready;
      const part = previewPart(plan.length);
      const byConsole = new Map(plan.map((planned) => [planned.console.id, planned]));
      const previews = new Map<ConsoleId, BatchPreview>();
      await core.commands.preview(commandsIn(plan), (said) => {
        const { console } = said;
        previews.set(console, previewOf(byConsole.get(console)!, said, part));
      });
      return plan.map((planned) =>
        previews.get(planned.console.id) ?? previewOf(planned, undefined, part)
      );
    } finally {
      previewing.delete(by);
    }
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
    const seen = seenBy(actor.user);
    const ids = [...results.values()].filter(({ outcome }) => FAILED.has(outcome))
      .map(({ id }) => id).filter((id) => seen.has(id));
    if (ids.length === 0) {
      return refuse("invalidParameter", "no console of this batch has failed", "id");
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
    const isRefused = isRefusal(outcome);
    const target = isRefused
      ? { request: title }
      : { request: title, batch: outcome.facts.id, consoles: outcome.results.size };
    const refused = isRefused ? { refused: outcome.message } : {};
    core.tell({ user: user?.name, from, what, target, ...refused });
  }

  return {
    async run(order, actor, id) {
      const isNew = id === undefined || !begun.has(id);
      const outcome = await run(order, actor, id);
      if (isNew || isRefusal(outcome)) told("fleetdo", actor, titleOf(order.request), outcome);
      return outcome;
    },
    preview,
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

type Owner = Pick<BatchChange, "by" | "userSince">;

function mayHear(user: Who, { by, userSince }: Owner): boolean {
  if (user === undefined) return false;
  return user.may === "admin" || (user.name === by && userSince === sinceOf(user));
}

/** Returns when a user was added; this is known for each user who has logged in on this hub. */
function sinceOf(user: Who): string | undefined {
  return (user as { readonly created?: string } | undefined)?.created;
}

function commandsIn(plan: readonly Planned[]): readonly Command[] {
  return plan.flatMap((planned) => "command" in planned ? [planned.command] : []);
}

const NO_ROOM = refuse("limitReached", "too many batches are not settled yet");

/** The outcome at a console of a batch that another hub stores at the same time. */
const TAKEN_ELSEWHERE: KnownOutcome = {
  outcome: "unknown",
  why: "another hub takes this batch at the same time, and sends its commands",
  time: undefined,
};

/**
 * Returns the outcome at a console of a batch that this hub has not stored, and so has not sent;
 * throws a fault that is none of the ledger.
 */
function unsentBecause(fault: unknown): KnownOutcome {
  const { message, code } = unavailable(fault);
  const cause = isLedgerError(fault) ? fault.code : undefined;
  if (cause === "conflict") return TAKEN_ELSEWHERE;
  const why = `nothing was sent: ${message}`;
  // A batch that the ledger has after all is carried out by a hub where the order is repeated.
  if (cause === "unanswered") return { outcome: "unknown", why, time: undefined };
  return { outcome: "refused", why, code, time: undefined };
}

function noBatch(id: string): Refusal {
  const why = `there is no batch ${shown(id)}, or it was of live commands of a hub that has ` +
    "restarted";
  return refuse("noSuchObject", why, "id");
}

function anotherHas(id: string): Refusal {
  return refuse("invalidParameter", `another batch has the id ${shown(id)}`, "id");
}

/** Returns an order as a text, so that another order shows as another text. */
function textOf(order: BatchTerms, again: string | undefined): string {
  return canonicalJson(withoutUndefined([order, again ?? ""]));
}

function isSameSize(one: object, other: object): boolean {
  return Object.keys(one).length === Object.keys(other).length;
}

/** JSON has no `undefined`: a member that is undefined is the same as none. */
function withoutUndefined<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}
