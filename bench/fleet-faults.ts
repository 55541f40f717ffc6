/**
 * Commands to a fleet of real processes while each part of it fails: the hub and consoles are killed
 * and stopped, links are cut, clocks are set. `deno task bench fleet-faults` (`--rounds N`, each with
 * every fault once; `--only TEXT`, the faults with that text in their names; `--seconds S`, the
 * longest time for which a link is cut or a program stopped; `--consoles N`, the number of simulated
 * consoles beside the real ones; `--seed S`, the order and the lengths of the faults;
 * `--faketime FILE`, the library by which clocks are set).
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { OUTCOMES } from "../fleet/commands/command.ts";
import { LASTING_MS } from "../fleet/uplink/hub-choice.ts";
import { faderd } from "../tests/program/faderd.ts";
import { idOf } from "../tests/program/hub-process.ts";
import { chanceOf } from "../tests/storage/random.ts";
import { type CutLink, startLink } from "./cut-link.ts";
import { sendCommands, WRONG } from "./fleet-commands.ts";
import { atMost, rpc, startHub, statesAt, untilLive } from "./fleet-parts.ts";
import { type ServerProcess, startFaderd } from "./process.ts";
import { type Figure, figureOf, print, report, sleep } from "./report.ts";
import { startConsoles } from "./started-consoles.ts";

const given = parseArgs(Deno.args, {
  string: ["rounds", "only", "seconds", "consoles", "seed", "faketime"],
  boolean: ["json"],
  default: {
    rounds: "1",
    seconds: "8",
    consoles: "24",
    seed: String(crypto.getRandomValues(new Uint16Array(1))[0]),
  },
});
const ROUNDS = Number(given.rounds);
const COUNT = Number(given.consoles);
const chance = chanceOf(Number(given.seed));
/** By default where Debian's package libfaketime has it. */
const FAKETIME = given.faketime ??
  `/usr/lib/${Deno.build.arch}-linux-gnu/faketime/libfaketimeMT.so.1`;

/** Number of consoles that are programs of their own, each with a link of its own. */
const PROGRAMS = 5;

/** Changes per second of each simulated console. */
const CHANGES_PER_SECOND = 1.9;

/**
 * Range of the time in ms for which links are cut and programs stopped: at least until a console is
 * stale.
 */
const AWAY_MS = [4000, Math.max(4000, 1000 * Number(given.seconds))] as const;

/**
 * Time in ms for which a link that is being cut still passes on commands, and no answers: more than
 * the interval of the batches.
 */
const ANSWERS_LOST_MS = 500;

/** Range of the time in ms until a killed program is started again. */
const RESTART_MS = [0, 3000] as const;

/** Maximum number of minutes by which a clock is wrong. */
const CLOCK_MINUTES = 60;

/** Time in ms for which consoles are watched after a clock was set: more than they are silent for. */
const WATCHED_MS = 4000;

/** Maximum number of commands that are printed of each kind of wrong ones. */
const SHOWN = 10;

/** Time in ms after which a wait is given up. */
const MOST_MS = 60_000;

/** Interval in ms at which a state is asked for. */
const ASK_MS = 20;

const setsClocks = await Deno.stat(FAKETIME).then(() => true, () => false);
const folder = await Deno.makeTempDir({ prefix: "bench-fleet-faults-" });
const data = `${folder}/hub`;
const slowest = new Map<string, number>();
let notLive = 0;

/** Sets the clock of a program, in s from the right time. */
function setClock(program: string, seconds: number): Promise<void> {
  return Deno.writeTextFile(`${folder}/clock-${program}`, `${seconds < 0 ? "" : "+"}${seconds}\n`);
}

/** The command of Deno for a program whose clock can be set. */
function denoOf(program: string): readonly string[] {
  if (!setsClocks) return [Deno.execPath()];
  return [
    "/usr/bin/env",
    `LD_PRELOAD=${FAKETIME}`,
    `FAKETIME_TIMESTAMP_FILE=${folder}/clock-${program}`,
    "FAKETIME_CACHE_DURATION=1",
    "FAKETIME_DONT_FAKE_MONOTONIC=1",
    "NO_FAKE_STAT=1",
    Deno.execPath(),
  ];
}

/** A console that is a program of its own. */
interface Desk {
  readonly name: string;
  readonly id: string;
  readonly link: CutLink;
  process: ServerProcess;
}

await setClock("hub", 0);
let hub = await startHub(data, "127.0.0.1:0", { deno: denoOf("hub") });
const listen = `127.0.0.1:${hub.port}`;
const url = `http://${listen}`;
const token = (await Deno.readTextFile(`${data}/admin-token`)).trim();

const config = `${folder}/console.json`;
await Deno.writeTextFile(
  config,
  JSON.stringify({
    mixers: [{ faders: 8 }],
    engine: "none",
    limits: { snapshots: 65_536 },
    fleet: { may: "admin" },
  }),
);

function startDesk(name: string): Promise<ServerProcess> {
  return startFaderd(`${folder}/${name}`, config, ["--no-view"], { deno: denoOf(name) });
}

async function makeDesk(name: string): Promise<Desk> {
  const link = startLink(hub.port);
  const { code } = (await rpc(url, token, "fleetenrolcode")).payload.result;
  await Deno.mkdir(`${folder}/${name}`);
  await setClock(name, 0);
  const address = `http://127.0.0.1:${link.port}`;
  const enrolled = await faderd("fleet", "enrol", address, code, "--data", `${folder}/${name}`);
  if (enrolled.code !== 0) throw new Error(enrolled.stderr);
  const id = await idOf(`${folder}/${name}`);
  await rpc(url, token, "fleetapprove", { id });
  return { name, id, link, process: await startDesk(name) };
}

const desks = await Promise.all(
  Array.from({ length: PROGRAMS }, (_, at) => makeDesk(`console-${at}`)),
);
const simulatedLink = startLink(hub.port);
const simulated = await startConsoles([`http://127.0.0.1:${simulatedLink.port}`], token, COUNT);
const ids = [...desks.map(({ id }) => id), ...simulated.ids];
await untilLive(url, token, ids.length);
await simulated.change(CHANGES_PER_SECOND * COUNT);
const commands = sendCommands(url, token, ids, chanceOf(Number(given.seed) + 1));
print(
  `(seed ${given.seed}; ${PROGRAMS} consoles as programs, ${COUNT} simulated; ${
    setsClocks ? "clocks are set by libfaketime" : `no clock is set: there is no ${FAKETIME}`
  })`,
);

function one<Item>(items: readonly Item[]): Item {
  return items[chance.between(0, items.length - 1)]!;
}

function note(name: string, ms: number): void {
  slowest.set(name, Math.max(slowest.get(name) ?? 0, ms));
}

/** Returns a figure without a target. */
function alone(name: string, unit: string, value: number): Figure {
  return figureOf(name, unit, [value], [value], "difference");
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** Waits until something is so, at most {@link MOST_MS}; returns the time in ms since `from`. */
async function untilSo(from: number, isSo: () => boolean | Promise<boolean>): Promise<number> {
  const until = performance.now() + MOST_MS;
  while (performance.now() < until && !await isSo()) await sleep(ASK_MS);
  return performance.now() - from;
}

/** Whether the hub shows each of these consoles as live, or none of them. */
async function areLive(chosen: readonly string[], live: boolean): Promise<boolean> {
  const states = await statesAt(url, token).catch(() => undefined);
  return states !== undefined && chosen.every((id) => (states.get(id) === "live") === live);
}

/** Waits until consoles are live and have answered all kept commands so far; says how long it took. */
async function recovered(what: string, chosen: readonly string[], from: number): Promise<string> {
  const backlog = commands.waiting(chosen, from);
  const liveMs = await untilSo(from, () => areLive(chosen, true));
  const drainedMs = await untilSo(from, () => commands.waiting(chosen, from) === 0);
  note(`${what}: live`, liveMs);
  note(`${what}: drained`, drainedMs);
  return `live after ${inSeconds(liveMs)}, ${backlog} kept commands drained after ${
    inSeconds(drainedMs)
  }`;
}

/** Has consoles be out of reach for a time, and back. */
async function away(
  what: string,
  chosen: readonly string[],
  leave: () => void,
  comeBack: () => void,
): Promise<string> {
  const ms = chance.between(...AWAY_MS);
  leave();
  const from = performance.now();
  const staleMs = await untilSo(from, () => areLive(chosen, false));
  note(`${what}: stale`, staleMs);
  await sleep(ms - (performance.now() - from));
  comeBack();
  const back = await recovered(what, chosen, performance.now());
  return `${chosen.length} stale after ${inSeconds(staleMs)}; back after ${inSeconds(ms)}: ${back}`;
}

async function cut(what: string, links: readonly CutLink[]): Promise<string> {
  // A console whose connection did not last waits before it dials again.
  await sleep(LASTING_MS);
  const chosen = desks.filter(({ link }) => links.includes(link)).map(({ id }) => id);
  if (links.includes(simulatedLink)) chosen.push(...simulated.ids);
  return await away(
    what,
    chosen,
    () => links.forEach((link) => link.cut(ANSWERS_LOST_MS)),
    () => links.forEach((link) => link.heal()),
  );
}

async function killed(server: ServerProcess): Promise<void> {
  Deno.kill(server.pid, "SIGKILL");
  await server.stop();
  await sleep(chance.between(...RESTART_MS));
}

async function clockSet(program: string): Promise<string> {
  const minutes = chance.between(-CLOCK_MINUTES, CLOCK_MINUTES);
  await setClock(program, 60 * minutes);
  const from = performance.now();
  const seen = new Set<string>();
  while (performance.now() - from < WATCHED_MS) {
    for (const [id, state] of await statesAt(url, token)) if (state !== "live") seen.add(id);
    await sleep(ASK_MS);
  }
  notLive += seen.size;
  return `${minutes} min from the right time, ${seen.size} consoles not live meanwhile`;
}

/** The faults, by what is printed of them. */
const FAULTS: Readonly<Record<string, (what: string) => Promise<string>>> = {
  async "hub killed"(what) {
    await killed(hub);
    hub = await startHub(data, listen, { deno: denoOf("hub") });
    return await recovered(what, ids, performance.now());
  },
  async "console killed"(what) {
    const desk = one(desks);
    await killed(desk.process);
    desk.process = await startDesk(desk.name);
    return await recovered(what, [desk.id], performance.now());
  },
  "link cut": (what) => cut(what, [one([...desks.map(({ link }) => link), simulatedLink])]),
  "all links cut": (what) => cut(what, [...desks.map(({ link }) => link), simulatedLink]),
  async "hub stopped"(what) {
    Deno.kill(hub.pid, "SIGSTOP");
    await sleep(chance.between(...AWAY_MS));
    Deno.kill(hub.pid, "SIGCONT");
    return await recovered(what, ids, performance.now());
  },
  "console stopped"(what) {
    const { id, process: { pid } } = one(desks);
    const send = (signal: Deno.Signal) => () => Deno.kill(pid, signal);
    return away(what, [id], send("SIGSTOP"), send("SIGCONT"));
  },
  ...(setsClocks
    ? {
      "hub's clock set": () => clockSet("hub"),
      "console's clock set": () => clockSet(one(desks).name),
    }
    : {}),
};

for (let round = 0; round < ROUNDS; round++) {
  const left = Object.keys(FAULTS).filter((what) => what.includes(given.only ?? ""));
  while (left.length > 0) {
    const [what] = left.splice(chance.between(0, left.length - 1), 1) as [string];
    print(`${what}: ${await FAULTS[what]!(what)}`);
    await untilSo(0, () => areLive(ids, true));
  }
}
await commands.end(MOST_MS);

// What a console has after a kill is what is on its medium.
for (const desk of desks) {
  await killed(desk.process);
  desk.process = await startDesk(desk.name);
}
await untilSo(0, () => areLive(ids, true));

/** Returns the names of the snapshots on a console. */
async function namesOn(id: string): Promise<readonly string[]> {
  const params = { type: 1, mixer: 0 };
  const answer = await rpc(`${url}/consoles/${id}`, token, "getsnapshotlist", params);
  if (!answer.success) throw new Error(JSON.stringify(answer));
  return (answer.payload.result as readonly { readonly name: string }[]).map(({ name }) => name);
}

const names = new Map<string, readonly string[]>();
for (const id of ids) names.set(id, await namesOn(id));
const judged = commands.judge(names);
for (const [why, count] of judged.reasons) print(`(${count} refused: ${why})`);
for (const what of WRONG) {
  for (const sentence of judged.wrong[what].slice(0, SHOWN)) print(`${what}: ${sentence}`);
}

await simulated.stop();
for (const { process, link } of desks) {
  await process.stop();
  link.close();
}
simulatedLink.close();
await hub.stop();

/** Returns the target in ms of a time that was noted; undefined for one without. */
function targetOf(name: string): number | undefined {
  if (name.endsWith(": stale")) return 3500;
  return name.endsWith("cut: drained") ? 3000 : undefined;
}

const figures: Figure[] = [...slowest].map(([name, ms]) => {
  const target = targetOf(name);
  return target === undefined ? alone(name, "ms", ms) : atMost(name, "ms", ms, target);
});
for (const kind of ["live", "kept"] as const) {
  for (const outcome of OUTCOMES) {
    figures.push(alone(`${kind} commands: ${outcome}`, "", judged.outcomes[kind][outcome]));
  }
}
if (setsClocks) figures.push(atMost("not live after a clock was set", "", notLive, 0));
for (const what of WRONG) {
  figures.push(atMost(`commands ${what}`, "", judged.wrong[what].length, 0));
}
if (WRONG.some((what) => judged.wrong[what].length > 0)) {
  print(`(the data folders are left in ${folder})`);
} else await Deno.remove(folder, { recursive: true });
report("fleet-faults", [{ sides: ["slowest", "bound"], figures }], {
  json: given.json,
  rounds: ROUNDS,
  seconds: 0,
});
