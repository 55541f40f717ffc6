/**
 * Commands to all consoles of a hub, sent all the while that hubs, consoles and links fail, and what
 * became of them. Each command saves a snapshot with a name of its own: the number of snapshots of
 * that name on a console is the number of times that the console carried the command out.
 *
 * @module
 */
import { type CommandKind, type CommandOutcome, OUTCOMES } from "../fleet/commands/command.ts";
import { hexOf } from "../core/hex.ts";
import type { Chance } from "../tests/storage/random.ts";
import { rpc } from "./fleet-parts.ts";
import { sleep } from "./report.ts";

/** Interval in ms between two batches: each is a command to every console. */
const BATCH_MS = 400;

/** Interval in ms at which the outcomes are asked for. */
const ASK_MS = 50;

/** Time in ms after which a request to a hub that is away is made again. */
const AGAIN_MS = 200;

/**
 * Time in ms until commands expire. A kept command with the longer time outlives every fault and
 * every jump of a clock; one with the shorter time may expire.
 */
const EXPIRY_MS = { live: 3000, kept: 3 * 60 * 60_000, brief: 4000 } as const;

/** The outcomes after which nothing else may come out. */
const FINAL: ReadonlySet<CommandOutcome> = new Set(["done", "refused", "expired"]);

/** The commands of one batch. */
interface Batch {
  readonly id: string;
  /** The name of the snapshot. */
  readonly name: string;
  readonly kind: CommandKind;
  readonly ms: number;
  /** When it was submitted, in ms as by `performance.now()`. */
  readonly at: number;
  /**
   * `submitted`: the hub has not answered. `taken`: it has. `refused`: it has refused the whole
   * batch. `forgotten`: the hub was killed, and a live batch is not submitted again.
   */
  state: "submitted" | "taken" | "refused" | "forgotten";
  /** The last outcome by the ids of the consoles, as the hub told it. */
  readonly last: Map<string, CommandOutcome>;
  /** The final outcomes that the hub told, by the same ids. */
  readonly final: Map<string, Set<CommandOutcome>>;
  /** The reasons of refusals, by the same ids. */
  readonly reasons: Map<string, string>;
}

/** What became of all commands. */
export interface Judged {
  /**
   * The numbers of commands by their kinds and last outcomes; `unknown` also where the hub was
   * killed before it said.
   */
  readonly outcomes: Readonly<Record<CommandKind, Readonly<Record<CommandOutcome, number>>>>;
  /** The numbers of refused commands by the reasons. */
  readonly reasons: ReadonlyMap<string, number>;
  /** Sentences on the commands with which something is wrong. */
  readonly wrong: Readonly<Record<Wrong, readonly string[]>>;
}

/**
 * `lost`: it was `done`, or a kept one could still be, and it never was carried out. `twice`: it was
 * carried out more than once. `untrue`: it was `refused` or `expired`, and carried out. `unsettled`:
 * a kept one had no outcome a minute after the last fault.
 */
export const WRONG = ["lost", "twice", "untrue", "unsettled"] as const;

/** One of {@link WRONG}. */
export type Wrong = typeof WRONG[number];

/** Commands that are being sent. */
export interface FleetCommands {
  /**
   * The number of kept commands to these consoles that wait, of those submitted before a time. A
   * brief one, whose time may be over, is not counted.
   */
  waiting(ids: readonly string[], before?: number): number;
  /** Sends no more; resolves once all are settled, or after a time in ms. */
  end(withinMs: number): Promise<void>;
  /** Compares what was told with the names of the snapshots on each console. */
  judge(names: ReadonlyMap<string, readonly string[]>): Judged;
}

/** Starts to send commands to consoles by a hub that may be killed. */
export function sendCommands(
  url: string,
  token: string,
  ids: readonly string[],
  chance: Chance,
): FleetCommands {
  const batches: Batch[] = [];
  const open = new Set<Batch>();
  let isSending = true;
  let isOver = false;

  function add(): void {
    const kind = chance.hits(0.5) ? "kept" : "live";
    const isBrief = kind === "kept" && chance.hits(0.2);
    const batch: Batch = {
      id: hexOf(crypto.getRandomValues(new Uint8Array(16))),
      name: `command ${batches.length}`,
      kind,
      ms: EXPIRY_MS[isBrief ? "brief" : kind],
      at: performance.now(),
      state: "submitted",
      last: new Map(ids.map((id) => [id, "unknown"])),
      final: new Map(ids.map((id) => [id, new Set()])),
      reasons: new Map(),
    };
    batches.push(batch);
    open.add(batch);
    submit(batch);
  }

  /**
   * Submits a batch, a kept one with the same id until a hub has answered: a hub that was killed may
   * have stored a part of it.
   */
  async function submit(batch: Batch): Promise<void> {
    const { id, name, kind, ms: expires } = batch;
    const params = { type: 1, mixer: 0, fader: 0, id: "", name, writegroups: 1 };
    const request = { method: "rpc", payload: { method: "savesnapshot", params } };
    let mayBeThere = batch.state === "taken";
    batch.state = "submitted";
    for (;; mayBeThere = true) {
      const answer = await rpc(url, token, "fleetdo", {
        ...{ id, select: { ids }, request, kind, expires },
      }).catch(() => undefined);
      if (answer?.success) return void (batch.state = "taken");
      if (answer !== undefined && !mayBeThere) {
        batch.state = "refused";
        for (const id of ids) tell(batch, id, "refused", answer.error.message);
        return void open.delete(batch);
      }
      if (kind === "live") return forget(batch);
      if (isOver) return;
      await sleep(AGAIN_MS);
    }
  }

  function forget(batch: Batch): void {
    batch.state = "forgotten";
    open.delete(batch);
  }

  function tell(
    { last, final, reasons }: Batch,
    console: string,
    outcome: CommandOutcome,
    why = "",
  ): void {
    last.set(console, outcome);
    // Reasons that differ only in a console, or a time, are one.
    if (outcome === "refused") reasons.set(console, withoutDetails(why));
    if (FINAL.has(outcome)) final.get(console)!.add(outcome);
  }

  async function ask(batch: Batch): Promise<void> {
    const answer = await rpc(url, token, "fleetbatch", { batch: batch.id }).catch(() => undefined);
    if (answer === undefined) return;
    if (!answer.success && isOver) return;
    // A hub that was killed before it had stored the batch does not know it.
    if (!answer.success) return batch.kind === "live" ? forget(batch) : void submit(batch);
    const { state, results } = answer.payload.result;
    for (const { console, outcome, why } of results) tell(batch, console, outcome, why);
    if (state === "settled") open.delete(batch);
  }

  (async () => {
    while (!isOver) {
      for (const batch of [...open]) if (batch.state === "taken") await ask(batch);
      await sleep(ASK_MS);
    }
  })();
  (async () => {
    while (isSending) {
      add();
      await sleep(BATCH_MS);
    }
  })();

  return {
    waiting(consoles, before = Infinity) {
      const waits = ({ state, last }: Batch, id: string) =>
        state === "submitted" || ["queued", "sent"].includes(last.get(id)!);
      return [...open].filter(({ ms, at }) => ms === EXPIRY_MS.kept && at < before)
        .reduce((sum, batch) => sum + consoles.filter((id) => waits(batch, id)).length, 0);
    },
    async end(withinMs) {
      isSending = false;
      const until = performance.now() + withinMs;
      while (open.size > 0 && performance.now() < until) await sleep(ASK_MS);
      isOver = true;
      // An outcome that was unknown may be known since.
      for (const batch of batches) {
        if (batch.kind === "kept" && isDoubted(batch)) await ask(batch);
      }
    },
    judge(names) {
      const outcomes = { live: noOutcomes(), kept: noOutcomes() };
      const allReasons = new Map<string, number>();
      const wrong: Record<Wrong, string[]> = { lost: [], twice: [], untrue: [], unsettled: [] };
      for (const { id, name, kind, ms, state, last, final, reasons } of batches) {
        for (const why of reasons.values()) allReasons.set(why, (allReasons.get(why) ?? 0) + 1);
        for (const console of ids) {
          const times = names.get(console)!.filter((one) => one === name).length;
          const outcome = last.get(console)!;
          const told = final.get(console)!;
          const isLeft = outcome === "queued" || outcome === "sent";
          outcomes[kind][isLeft && state === "forgotten" ? "unknown" : outcome]++;
          const about = `${name} (${kind}, ${id}) at ${console}: told ` +
            `${[...told].join(", ") || "nothing final"}, at last ${outcome}, ` +
            `carried out ${times} times`;
          const isUnsettled = kind === "kept" && (isLeft || state === "submitted");
          const isOver = outcome === "refused" || outcome === "expired";
          const isTaken = told.has("done") || ms === EXPIRY_MS.kept && !isOver;
          if (times === 0 && isTaken) wrong.lost.push(about);
          if (times > 1) wrong.twice.push(about);
          if (times > 0 && (told.has("refused") || told.has("expired"))) wrong.untrue.push(about);
          if (isUnsettled) wrong.unsettled.push(about);
        }
      }
      return { outcomes, reasons: allReasons, wrong };
    },
  };
}

function isDoubted({ last }: Batch): boolean {
  return last.values().some((outcome) => outcome === "unknown");
}

function noOutcomes(): Record<CommandOutcome, number> {
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as ReturnType<
    typeof noOutcomes
  >;
}

function withoutDetails(why: string): string {
  return why.replaceAll(/[0-9a-f]{32}|"[^"]*"|\d{4}-\d\d-\d\dT\S+Z/g, "…");
}
