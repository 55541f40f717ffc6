/**
 * Commands to a simulated fleet with cuts, kills and stops, and the rules that have to hold: no
 * command is carried out twice, no kept command is lost, none begins after its expiry, and each
 * reported outcome is true.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { Command, CommandOutcome, CommandResult } from "../../fleet/commands/command.ts";
import type { Hub } from "../../fleet/hub/hub.ts";
import { type Chance, chanceOf } from "../storage/random.ts";
import { type SimulatedConsole, type SimulatedFleet, simulatedFleet } from "./simulated-fleet.ts";

/** Number of states of a run, one after the other. */
export const STATES = 30;

/** Time in ms that passes before promises are waited for. */
const STEP_MS = 100;

/** Time in ms in which each command is settled once all cuts and stops have ended. */
const SETTLED_MS = 60_000;

const HOUR_MS = 60 * 60_000;

/** A command, with its reported outcomes and its effects. */
interface Followed {
  readonly command: Command;
  /** The outcomes that the hubs have told, in order. */
  readonly told: CommandOutcome[];
  /** The times, by the clock of the hub, at which a console began to write it. */
  readonly begun: number[];
  /** Number of changes by it that came into force. */
  changes: number;
}

const decoder = new TextDecoder();

/** Maximum number of runs of a seed. */
const RUNS = 100_000;

/** Carries out a run of a seed; throws where a rule is broken. Returns the number of commands. */
export async function runCommands(seed: number, run: number): Promise<number> {
  const chance = chanceOf(seed * RUNS + run);
  const setsHubClock = chance.hits(0.3);
  const followed = new Map<string, Followed>();
  const fleet: SimulatedFleet = await simulatedFleet(chance, 2, {
    begun(record) {
      const text = decoder.decode(record);
      for (const label of text.match(/C\d+ /g) ?? []) {
        followed.get(label)!.begun.push(fleet.hubTime());
      }
    },
    changed({ batch, changes }) {
      if (changes === undefined) return;
      for (const one of followed.values()) if (one.command.batch === batch) one.changes++;
    },
    started: (hub) => follow(hub),
  });

  function follow(hub: Hub): void {
    hub.commands.watch(({ batch, outcome }) => {
      if (fleet.hub() !== hub) return;
      for (const one of followed.values()) {
        if (one.command.batch === batch) one.told.push(outcome);
      }
    });
  }

  await everything(fleet, chance, followed, setsHubClock);
  await heal(fleet);
  const results = await resultsIn(fleet);
  for (const [label, one] of followed) expectOnce(label, one, fleet, results, setsHubClock);
  await fleet.hub().close();
  return followed.size;
}

/** Lets a time in ms pass, in steps of 100 ms, and waits for promises after each. */
export async function pass(fleet: SimulatedFleet, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    fleet.pass(STEP_MS);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function everything(
  fleet: SimulatedFleet,
  chance: Chance,
  followed: Map<string, Followed>,
  setsHubClock: boolean,
): Promise<void> {
  await pass(fleet, 2000);
  for (let at = 0; at < STATES; at++) {
    const console = fleet.consoles[chance.between(0, 1)]!;
    for (let more = chance.between(0, 3); more > 0; more--) {
      const label = `C${followed.size} `;
      const command = commandOf(label, console, fleet, chance);
      followed.set(label, { command, told: [], begun: [], changes: 0 });
      fleet.hub().commands.submit([command]);
    }
    await happen(fleet, console, chance, setsHubClock);
    await pass(fleet, chance.between(0, 1500));
    if (chance.hits(0.4)) mend(fleet);
  }
}

function commandOf(
  label: string,
  { id }: SimulatedConsole,
  fleet: SimulatedFleet,
  chance: Chance,
): Command {
  const number = label.slice(1).trim().padStart(32, "0");
  const isKept = chance.hits(0.5);
  const now = fleet.hubTime();
  const ms = isKept ? [3000, 20_000, 3 * HOUR_MS][chance.between(0, 2)]! : 3000;
  const path = `/audio/mixers/0/faders/${chance.between(0, 3)}/label`;
  return {
    id: number,
    console: id,
    batch: number,
    kind: isKept ? "kept" : "live",
    expires: now + ms,
    ...(chance.hits(0.2) ? { at: now + chance.between(0, Math.min(ms, 20_000) - 1000) } : {}),
    request: { method: "set", path, payload: label },
    by: { name: "admin1", may: "admin" },
    from: "10.0.0.1",
  };
}

async function happen(
  fleet: SimulatedFleet,
  console: SimulatedConsole,
  chance: Chance,
  setsHubClock: boolean,
): Promise<void> {
  switch (chance.between(0, 12)) {
    case 0:
      return console.cut(true);
    case 1:
      return await console.restart(true);
    case 2:
      return await console.restart(false);
    case 3:
      return console.pause();
    case 4:
      return await fleet.restartHub(chance.between(0, 4000));
    case 5:
      fleet.pauseHub();
      await pass(fleet, chance.between(0, 6000));
      return fleet.resumeHub();
    case 6:
      console.medium.fails = true;
      return;
    case 7:
      fleet.medium.fails = true;
      return;
    case 8:
      return console.setClock(chance.between(-10, 10) * HOUR_MS);
    case 10:
      fleet.medium.losesAnswers = true;
      return;
    case 9:
      if (setsHubClock) fleet.setHubClock(chance.between(-2, 2) * HOUR_MS);
      return;
    default:
  }
}

function mend(fleet: SimulatedFleet): void {
  fleet.medium.fails = false;
  fleet.medium.losesAnswers = false;
  for (const console of fleet.consoles) {
    console.medium.fails = false;
    console.cut(false);
    console.goOn();
  }
}

async function heal(fleet: SimulatedFleet): Promise<void> {
  mend(fleet);
  await pass(fleet, SETTLED_MS);
}

async function resultsIn({ ledger }: SimulatedFleet): Promise<ReadonlyMap<string, CommandOutcome>> {
  const results = new Map<string, CommandOutcome>();
  for await (const entry of ledger.watch("results")) {
    if (entry === "current") break;
    const { id, outcome } = entry.value as unknown as CommandResult;
    results.set(id, outcome);
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

function expectOnce(
  label: string,
  { command, told, begun, changes }: Followed,
  fleet: SimulatedFleet,
  results: ReadonlyMap<string, CommandOutcome>,
  setsHubClock: boolean,
): void {
  const { kind, expires, console: id, at = 0 } = command;
  const console = fleet.consoles.find((one) => one.id === id)!;
  const stored = console.records.filter((record) => decoder.decode(record).includes(`"${label}"`));
  const last = results.get(command.id) ?? told.at(-1);
  const about = `${label}(${kind}), of which was told ${told.join(", ")}, at last ${last}`;
  // A live command that the medium did not take is in force all the same, and written once more.
  const begins = kind === "live" ? begun.slice(0, 1) : begun;
  const isLate = begins.some((time) => time > expires);
  assert(setsHubClock || !isLate, `${about}: it began at ${begun}, and expired at ${expires}`);
  // A change that is in force and not stored is reported, and lost with its program.
  const times = Math.max(stored.length, changes);
  if (kind === "kept") {
    assert(stored.length <= 1, `${about}: it is stored ${stored.length} times`);
    const isSettled = at > fleet.hubTime() || !told.includes("queued") ||
      (last !== "queued" && last !== "sent");
    assert(isSettled, `${about}: it is lost`);
  }
  assert(times <= 1, `${about}: it was carried out ${times} times`);
  if (last === undefined) return assertEquals(times <= 1, true, about);
  const found = kind === "kept" ? stored.length : times;
  for (const said of [last, ...told.filter((outcome) => FINAL.has(outcome))]) {
    const isTrue = TIMES[said].includes(found);
    assert(isTrue, `${about}: it was ${said}, and carried out ${found} times`);
  }
}
