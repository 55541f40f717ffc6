/**
 * Commands to a simulated fleet of one hub or of two, with cuts, kills and stops, and the rules
 * that have to hold: no command is carried out twice, no kept command is lost, none begins after
 * its expiry, each reported outcome is true, and in the end all hubs report the same.
 *
 * @module
 */
import { assert } from "@std/assert";
import { type Batches, createBatches } from "../../fleet/batches/batch.ts";
import type { Command, CommandOutcome, CommandResult } from "../../fleet/commands/command.ts";
import { keyOf } from "../../fleet/commands/command-way.ts";
import type { Hub } from "../../fleet/hub/hub.ts";
import { machine } from "../../runtimes/clock.ts";
import { type Chance, chanceOf } from "../storage/random.ts";
import { entriesOf } from "./ledger-entries.ts";
import {
  type Mutant,
  type SimulatedConsole,
  type SimulatedFleet,
  simulatedFleet,
} from "./simulated-fleet.ts";

/** Number of states of a run, one after the other. */
export const STATES = 30;

/** Time in ms that passes before promises are waited for: usually, and at least. */
const STEP_MS = 100;
const FINE_STEP_MS = 10;

/** Time in ms in which each command is settled once all cuts and stops have ended. */
const SETTLED_MS = 60_000;

/** The largest number of a kind of faults: with one hub, and with two. */
const KINDS = [12, 21];

/** Number of the kinds that happen often in a run. */
const OFTEN = 4;

const HOUR_MS = 60 * 60_000;

const BY = { name: "admin1", may: "admin" } as const;
const FROM = "10.0.0.1";

/** A command, with its reported outcomes and its effects. */
interface Followed {
  readonly label: string;
  readonly command: Command;
  /** The outcomes that each hub has told, in order. */
  readonly told: readonly CommandOutcome[][];
  /** The hub that took it. */
  readonly hub: Hub;
  /** Whether it was submitted at both hubs, of which one may have refused it. */
  readonly isRepeated: boolean;
  /** Whether it is one of a batch. */
  readonly isOfBatch: boolean;
  /** The times, by the clock of the hub, at which a console began to write it. */
  readonly begun: number[];
  /** Number of changes by it that came into force. */
  changes: number;
}

/** A run: its fleet, its commands, and what has happened in it. */
interface Run {
  readonly fleet: SimulatedFleet;
  readonly chance: Chance;
  /** The numbers of the hubs. */
  readonly hubs: readonly number[];
  /** By their consoles and labels, as {@link keyOf} makes the key. */
  readonly followed: Map<string, Followed>;
  /** The batches of each hub. */
  readonly batches: Batches[];
  /** Whether clocks of hubs are set: then nobody can say what is late. */
  readonly setsHubClock: boolean;
  readonly stepMs: number;
  /** The kinds of faults that happen often in this run, so that they meet. */
  readonly often: readonly number[];
  readonly history: string[];
}

const decoder = new TextDecoder();

/** Maximum number of runs of a seed. */
const RUNS = 100_000;

/**
 * Carries out a run of a seed, of one hub and of two in turn; throws where a rule is broken, with the
 * history of the run. Returns the number of commands.
 */
export async function runCommands(
  seed: number,
  run: number,
  mutant?: () => Mutant,
): Promise<number> {
  const chance = chanceOf(seed * RUNS + run);
  const hubs = Array.from({ length: 1 + run % 2 }, (_, at) => at);
  const followed = new Map<string, Followed>();
  const history: string[] = [];
  const batches: Batches[] = [];

  function follow(hub: Hub, at: number): void {
    hub.commands.watch(({ id, console, outcome, why }) => {
      if (!fleet.isThere(hub, at)) return;
      for (const one of followed.values()) {
        if (one.command.id !== id || one.command.console !== console) continue;
        one.told[at]!.push(outcome);
        note(`hub ${at} tells ${name(one)} ${outcome}${why === undefined ? "" : ` (${why})`}`);
      }
    });
  }

  function note(what: string): void {
    history.push(`${fleet.now()} ${what}`);
  }

  const fleet: SimulatedFleet = await simulatedFleet(chance, {
    consoles: 2,
    hubs: hubs.length,
    ...(mutant && { mutant: mutant() }),
    media: {
      begun(record, console) {
        for (const label of decoder.decode(record).match(/C\d+ /g) ?? []) {
          followed.get(keyOf(console, label))!.begun.push(fleet.hubTime());
          note(`console ${Number(console)} writes ${label}`);
        }
      },
      changed({ batch, changes }, console) {
        if (changes === undefined) return;
        for (const one of followed.values()) {
          if (one.command.batch === batch && one.command.console === console) one.changes++;
        }
      },
      started(hub, at, ports) {
        follow(hub, at);
        batches[at] = createBatches(hub, { ...ports, random: machine.random });
      },
    },
  });
  const world: Run = {
    ...{ fleet, chance, hubs, followed, batches, history },
    setsHubClock: chance.hits(0.3),
    stepMs: chance.hits(0.3) ? FINE_STEP_MS : STEP_MS,
    often: Array.from({ length: OFTEN }, () => chance.between(0, KINDS[hubs.length - 1]!)),
  };
  try {
    await everything(world);
    await heal(world);
    const results = await resultsIn(fleet);
    for (const one of followed.values()) expectOnce(one, world, results);
    for (const one of followed.values()) if (one.isOfBatch) expectSameBatch(one, world, results);
  } catch (cause) {
    throw new Error(`${(cause as Error).message}\n${history.join("\n")}`, { cause });
  }
  for (const at of hubs) {
    batches[at]!.close();
    await fleet.hub(at).close();
  }
  return followed.size;
}

function name({ label, command: { console, kind } }: Followed): string {
  return `${label}(${kind}, console ${Number(console)})`;
}

/** Lets a time in ms pass, in steps, and waits for promises after each. */
export async function pass(fleet: SimulatedFleet, ms: number, stepMs = STEP_MS): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    fleet.pass(stepMs);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function everything(run: Run): Promise<void> {
  const { fleet, chance, history } = run;
  await pass(fleet, 2000);
  for (let at = 0; at < STATES; at++) {
    const console = fleet.consoles[chance.between(0, 1)]!;
    for (let more = chance.between(0, 3); more > 0; more--) order(run, console);
    if (chance.hits(0.3)) look(run);
    for (let more = chance.hits(0.3) ? 2 : 1; more > 0; more--) {
      const what = await happen(run, console);
      if (what !== undefined) history.push(`${fleet.now()} - ${what}`);
    }
    await pass(fleet, chance.between(0, 1500), run.stepMs);
    if (chance.hits(0.4)) await mend(run);
  }
}

/** Orders a command, or a batch of kept commands, of a hub that runs, and sometimes of both. */
function order(run: Run, console: SimulatedConsole): void {
  const { fleet, chance, hubs, followed, history } = run;
  const running = hubs.filter((at) => fleet.isRunning(at));
  const at = running[chance.between(0, running.length - 1)];
  const isKept = chance.hits(0.5);
  const isOfBatch = isKept && chance.hits(0.3);
  const isRepeated = isKept && running.length > 1 && chance.hits(0.15);
  if (at === undefined) return;
  const label = `C${followed.size} `;
  const consoles = isOfBatch && chance.hits(0.5) ? fleet.consoles : [console];
  const command = commandOf(run, label, isKept, fleet.hubTime(at));
  for (const { id } of consoles) {
    followed.set(keyOf(id, label), {
      ...{ label, command: { ...command, console: id }, isOfBatch, isRepeated },
      ...{ begun: [], changes: 0, hub: fleet.hub(at), told: hubs.map(() => []) },
    });
  }
  const takers = isRepeated ? hubs : [at];
  for (const taker of takers) {
    history.push(
      `${fleet.now()} ${label}is ordered of hub ${taker}: ${command.kind}, ` +
        `for ${consoles.map(({ id }) => Number(id)).join(" and ")}, ` +
        `in ${command.expires - fleet.hubTime(taker)} ms` +
        (command.at === undefined ? "" : `, at ${command.at - fleet.hubTime(taker)} ms`),
    );
    if (isOfBatch) orderBatch(run, taker, command, consoles);
    else void fleet.hub(taker).commands.submit([{ ...command, console: console.id }]);
  }
}

function orderBatch(
  { fleet, batches }: Run,
  taker: number,
  { id, request, expires, at }: Omit<Command, "console">,
  consoles: readonly SimulatedConsole[],
): void {
  const now = fleet.hubTime(taker);
  const ids = consoles.map(({ id }) => id);
  const hub = fleet.hub(taker);
  const times = at === undefined ? {} : { at };
  const order = { select: { ids }, request, kind: "kept", together: false, force: false } as const;
  const terms = { ...order, ...times, expires: expires - (at ?? now) };
  const user = hub.refresh(BY);
  void batches[taker]!.run(terms, { user, from: FROM }, id);
}

/** Has somebody look at a batch at a hub, which then follows it. */
function look({ fleet, chance, hubs, batches, followed }: Run): void {
  const at = hubs[chance.between(0, hubs.length - 1)]!;
  const seen = [...followed.values()].filter(({ isOfBatch }) => isOfBatch);
  const one = seen[chance.between(0, seen.length - 1)];
  if (one === undefined || !fleet.isRunning(at)) return;
  batches[at]!.find(one.command.id, { user: fleet.hub(at).refresh(BY), from: FROM });
}

function commandOf(
  { chance }: Run,
  label: string,
  isKept: boolean,
  now: number,
): Omit<Command, "console"> {
  const number = label.slice(1).trim().padStart(32, "0");
  const ms = isKept ? [3000, 20_000, 3 * HOUR_MS][chance.between(0, 2)]! : 3000;
  const path = `/audio/mixers/0/faders/${chance.between(0, 3)}/label`;
  return {
    id: number,
    batch: number,
    kind: isKept ? "kept" : "live",
    expires: now + ms,
    ...(chance.hits(0.2) ? { at: now + chance.between(1, Math.min(ms, 20_000) - 1000) } : {}),
    request: { method: "set", path, payload: label },
    by: BY,
    from: FROM,
  };
}

/** Has something happen; returns what. */
async function happen(run: Run, console: SimulatedConsole): Promise<string | undefined> {
  const { fleet, chance, hubs, setsHubClock, often } = run;
  const at = chance.between(0, hubs.length - 1);
  const hub = `hub ${at}`;
  const name = `console ${Number(console.id)}`;
  const isBoth = chance.hits(0.3);
  const some = isBoth ? hubs : [at];
  const any = chance.between(0, KINDS[hubs.length - 1]!);
  switch (chance.hits(0.5) ? any : often[chance.between(0, OFTEN - 1)]) {
    case 0:
      console.cut(true);
      return `${name} is cut off`;
    case 1:
      await console.restart(true);
      return `${name} is restarted`;
    case 2:
      await console.restart(false);
      return `${name} is restarted, which no hub notices`;
    case 3:
      console.pause();
      return `${name} is paused`;
    case 4: {
      fleet.killHub(at);
      await pass(fleet, chance.between(0, 4000), run.stepMs);
      const isBack = hubs.length === 1 || chance.hits(0.5);
      if (isBack) await fleet.startHub(at);
      return `${hub} was killed${isBack ? ", and is back" : ""}`;
    }
    case 5: {
      fleet.pauseHub(at);
      await pass(fleet, chance.between(0, 6000), run.stepMs);
      const goesOn = hubs.length === 1 || chance.hits(0.5);
      if (goesOn) fleet.resumeHub(at);
      return `${hub} was paused${goesOn ? ", and goes on" : ""}`;
    }
    case 6:
      console.medium.fails = true;
      return `the medium of ${name} fails`;
    case 7:
      for (const one of some) fleet.way(one).medium.fails = true;
      return `the ledger refuses the writes of hubs ${some}`;
    case 8:
      console.setClock(chance.between(-10, 10) * HOUR_MS);
      return `the clock of ${name} is set`;
    case 9:
      if (setsHubClock) fleet.setHubClock(chance.between(-2, 2) * HOUR_MS, at);
      return setsHubClock ? `the clock of ${hub} is set` : undefined;
    case 10:
      for (const one of some) fleet.way(one).medium.losesAnswers = true;
      return `the ledger does not answer hubs ${some}`;
    case 13:
    case 14:
      console.cut(true, at);
      return `${name} is cut off from ${hub}`;
    case 15:
      fleet.cutBus(at, true);
      return `${hub} is cut off from the bus`;
    case 16:
      fleet.loseOnBus(at);
      return `the next message to ${hub} is lost`;
    case 17:
      fleet.holdBus(at, true);
      return `the messages to ${hub} are delayed`;
    case 18:
      for (const one of some) fleet.way(one).medium.isSlow = true;
      return `the ledger is slow for hubs ${some}`;
    case 19:
      for (const one of some) fleet.way(one).hold(true);
      return `the ledger tells hubs ${some} nothing`;
    case 20:
    case 21: {
      // An answer of the console waits for the hub while the console goes to the other hub.
      console.medium.fails = true;
      await pass(fleet, chance.between(0, 5) * run.stepMs, run.stepMs);
      const isPaused = chance.hits(0.5);
      if (isPaused) fleet.pauseHub(at);
      await pass(fleet, chance.between(0, 5) * run.stepMs, run.stepMs);
      console.medium.fails = false;
      console.cut(true, at);
      await console.restart(chance.hits(0.5));
      const what = `is restarted for its medium, and cut off from ${hub}`;
      return `${name} ${what}${isPaused ? ", which is paused" : ""}`;
    }
    default:
      return undefined;
  }
}

async function mend({ fleet, hubs, history }: Run): Promise<void> {
  history.push(`${fleet.now()} - all is mended`);
  for (const at of hubs) {
    await fleet.startHub(at);
    fleet.resumeHub(at);
    fleet.cutBus(at, false);
    fleet.holdBus(at, false);
    const { medium, hold } = fleet.way(at);
    medium.fails = false;
    medium.losesAnswers = false;
    medium.isSlow = false;
    hold(false);
  }
  for (const console of fleet.consoles) {
    console.medium.fails = false;
    console.cut(false);
    console.goOn();
  }
}

async function heal(run: Run): Promise<void> {
  await mend(run);
  run.fleet.agreeOnTime();
  await pass(run.fleet, SETTLED_MS);
}

/** The outcomes in the ledger, by consoles and ids. */
type Results = ReadonlyMap<string, CommandOutcome>;

async function resultsIn({ ledger }: SimulatedFleet): Promise<Results> {
  const results = new Map<string, CommandOutcome>();
  for (const { value } of await entriesOf(ledger, "results")) {
    const { id, console, outcome } = value as unknown as CommandResult;
    results.set(keyOf(console, id), outcome);
  }
  return results;
}

/** The possible numbers of times that a command was carried out, by its reported outcome. */
const TIMES: Readonly<Record<CommandOutcome, readonly number[]>> = {
  queued: [0],
  sent: [0, 1],
  done: [1],
  refused: [0],
  expired: [0],
  unknown: [0, 1],
};

/** The final outcomes: no other outcome may follow them. */
const FINAL: ReadonlySet<CommandOutcome> = new Set(["done", "refused", "expired"]);

/** Returns the number of times that a command was carried out, by what is left of it. */
function timesOf({ label, command: { console: id, kind }, changes }: Followed, run: Run): number {
  const console = run.fleet.consoles.find((one) => one.id === id)!;
  const stored = console.records.filter((record) => decoder.decode(record).includes(`"${label}"`));
  // A change that is in force and not stored is reported, and lost with its program.
  return kind === "kept" ? stored.length : Math.max(stored.length, changes);
}

function expectOnce(one: Followed, run: Run, results: Results): void {
  const { command, told, begun, changes } = one;
  const { fleet, hubs, setsHubClock } = run;
  const { id, kind, console, expires, at = 0 } = command;
  const allTold = told.flat();
  const outcome = results.get(keyOf(console, id));
  const lastTold = hubs.flatMap((hub) => told[hub]!.at(-1) ?? []);
  const toldBy = told.map((outcomes) => outcomes.join(", ") || "nothing").join("; ");
  const about = `${name(one)}, of which was told ${toldBy}, and is stored ${outcome}`;
  // A live command that the medium did not take is in force all the same, and written once more.
  const begins = kind === "live" ? begun.slice(0, 1) : begun;
  const isLate = begins.some((time) => time > expires);
  assert(setsHubClock || !isLate, `${about}: it began at ${begun}, and expired at ${expires}`);
  const times = timesOf(one, run);
  assert(Math.max(times, changes) <= 1, `${about}: it was carried out ${times}, ${changes} times`);
  // Of a command that both hubs were asked for, one hub may have refused its part alone.
  const counts = (said: CommandOutcome) => !(one.isRepeated && said === "refused");
  const last = outcome === undefined ? lastTold.filter(counts) : [outcome];
  const final = allTold.filter((said) => FINAL.has(said) && counts(said));
  for (const said of [...last, ...final]) {
    const isTrue = TIMES[said].includes(times);
    assert(isTrue, `${about}: it was ${said}, and carried out ${times} times`);
  }
  if (kind === "live") {
    const hub = hubs.find((at) => fleet.hub(at) === one.hub);
    const isEnded = hub === undefined || told[hub]!.at(-1) !== "sent";
    return assert(isEnded, `${about}: it is sent for ever`);
  }
  if (at > fleet.hubTime()) return;
  const isWaiting = outcome === "queued" || outcome === "sent" ||
    (outcome === undefined && allTold.includes("queued"));
  assert(!isWaiting, `${about}: it is lost`);
  const isDoubted = outcome === "unknown";
  assert(!isDoubted || times === 0, `${about}: nobody knows, and the console has it`);
  assert(
    !isDoubted || setsHubClock || expires < fleet.hubTime(),
    `${about}: it may still be begun`,
  );
  for (const at of hubs) {
    const shown = fleet.hub(at).commands.outcomeOf(command)?.outcome;
    assert(shown === outcome, `${about}: hub ${at} shows it as ${shown}`);
  }
}

/** The batch of a command is shown with the outcome of the ledger at each hub. */
function expectSameBatch(one: Followed, run: Run, results: Results): void {
  const { command: { id, console, at = 0 } } = one;
  const { fleet, hubs, batches } = run;
  if (at > fleet.hubTime()) return;
  const outcome = results.get(keyOf(console, id));
  for (const hub of hubs) {
    const batch = batches[hub]!.find(id, { user: fleet.hub(hub).refresh(BY), from: FROM });
    if ("code" in batch) {
      assert(outcome === undefined, `${name(one)}: hub ${hub} does not find its batch`);
      continue;
    }
    const shown = batch.results.get(console)!.outcome;
    const isTrue = outcome === undefined
      ? shown !== "queued" && shown !== "sent" && TIMES[shown].includes(timesOf(one, run))
      : shown === outcome;
    assert(isTrue, `${name(one)}: the batch at hub ${hub} shows ${shown}, the ledger ${outcome}`);
  }
}
