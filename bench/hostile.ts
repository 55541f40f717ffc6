/**
 * Does a hostile network do harm? Each attack goes against a service with a console of 128 faders,
 * while an honest client reads a mixer every 50 ms, keeps 64 faders moving, and once a second comes
 * anew. What is said beside: how much memory that takes and keeps, how long the honest client
 * waits, how late its faders move, and what the attackers were told.
 *
 * - `--only NAME,NAME`: some rows (`--list` names them).
 * - `--service PATH/main.ts`: the service of another checkout, to compare with.
 * - `--settle S`: how long after the attack memory has to be well again (30).
 * - `--soak MINUTES`: all attacks mixed, for so long, instead of the rows.
 *
 * What is no load but access (a host that is another's, a write by an image, a forged snapshot) is
 * not here: the tests of `tests/transport` and `tests/core` show that.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { type Figures, figuresOf, type Span } from "./hostile/figures.ts";
import { type Row, rows, TARGETS } from "./hostile/rows.ts";
import { bytesWritten, forgetPeak, openScene, peakMegabytes, type Scene } from "./hostile/scene.ts";
import { soak } from "./hostile/soak.ts";
import { sleep } from "./hostile/target.ts";
import { print, table } from "./report.ts";

const WARM_UP_MS = 3000;
const CALM_MS = 4000;
/** What comes of an attack still comes for so long after its end. */
const AFTERMATH_MS = 2000;

const options = parseArgs(Deno.args, {
  boolean: ["json", "list"],
  string: ["only", "service", "settle", "soak", "seconds"],
});
const main = options.service === undefined ? undefined : Deno.realPathSync(options.service);
const settleMs = Number(options.settle ?? 30) * 1000;

if (options.list) rows.forEach(({ name, what }) => print(`${name.padEnd(20)} ${what}`));
else if (options.soak !== undefined) await soak(Number(options.soak), main, options.json);
else await runRows();

/** What one row came to. */
interface Result extends Figures {
  readonly name: string;
  readonly calm: Figures;
  /** Memory in MB: before, and over that at most and in the end. */
  readonly idle: number;
  readonly peak: number;
  readonly settled: number;
  readonly lived: boolean;
  /** MB that were written to the medium in a second of the attack. */
  readonly writtenPerSecond: number;
  /** How long the next start took, in ms. */
  readonly restart?: number;
  readonly told: Readonly<Record<string, number>>;
  /** What went wrong for the honest client. */
  readonly faults: Readonly<Record<string, number>>;
  readonly missed: readonly string[];
}

async function runRows(): Promise<void> {
  const wanted = options.only?.split(",");
  const unknown = wanted?.find((name: string) => !rows.some((row) => row.name === name));
  if (unknown !== undefined) throw new Error(`there is no attack ${unknown}; see --list`);
  const results: Result[] = [];
  for (const row of rows.filter(({ name }) => wanted?.includes(name) ?? true)) {
    const result = await run(row);
    results.push(result);
    printResult(row, result);
  }
  printTable(results);
  if (options.json) print(JSON.stringify({ bench: "hostile", targets: TARGETS, rows: results }));
}

async function run(row: Row): Promise<Result> {
  const scene = await openScene(main, row.tls === true);
  try {
    return await runIn(scene, row);
  } finally {
    await scene.stop();
  }
}

async function runIn(scene: Scene, row: Row): Promise<Result> {
  const { service } = scene;
  await sleep(WARM_UP_MS);
  const calm = await spanOf(sleep(CALM_MS));
  const idle = service.residentMegabytes();
  forgetPeak(service);
  const written = bytesWritten(service);
  const seconds = Number(options.seconds ?? row.seconds);
  let told = {};
  let writtenPerSecond = 0;
  const attack = await spanOf((async () => {
    const attacker = await scene.attack(row.name);
    await sleep(seconds * 1000);
    writtenPerSecond = (bytesWritten(service) - written) / 1e6 / seconds;
    told = await attacker.end();
    await sleep(AFTERMATH_MS);
  })());
  await sleep(Math.max(0, settleMs - AFTERMATH_MS));
  const peak = peakMegabytes(service) - idle;
  const lived = !service.ended;
  const settled = lived ? service.residentMegabytes() - idle : 0;
  const seen = await scene.witnessed();
  const restart = row.restarts && lived ? await scene.restarted() : undefined;
  const result = {
    name: row.name,
    ...figuresOf(seen, attack, calm),
    calm: figuresOf(seen, calm, calm),
    idle,
    peak,
    settled,
    lived,
    writtenPerSecond,
    ...(restart === undefined ? {} : { restart }),
    told,
    faults: seen.faults,
  };
  return { ...result, missed: missedBy(row, result) };
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

async function spanOf(work: Promise<unknown>): Promise<Span> {
  const from = now();
  await work;
  return { from, to: now() };
}

function missedBy(row: Row, result: Omit<Result, "missed">): string[] {
  const { peak, settled, slowestRead, lateP99, lived, faults } = result;
  const read = row.works ? TARGETS.readWorking : TARGETS.read;
  return [
    ...(lived ? [] : ["it died"]),
    ...(peak <= TARGETS.peak ? [] : [`at most ${TARGETS.peak} MB over idle`]),
    ...(settled <= TARGETS.settled ? [] : [`at most ${TARGETS.settled} MB over idle afterwards`]),
    ...(slowestRead <= read ? [] : [`slowest read at most ${read} ms`]),
    ...(lateP99 <= TARGETS.late ? [] : [`p99 lateness at most ${TARGETS.late} ms`]),
    ...(Object.keys(faults).length === 0 ? [] : ["the honest client without a fault"]),
  ];
}

function printResult({ name, what }: Row, { told, faults, restart, missed }: Result): void {
  print(`\n${name}: ${what}`);
  print(`  told: ${shownCounts(told)}`);
  if (Object.keys(faults).length > 0) print(`  honest client: ${shownCounts(faults)}`);
  if (restart !== undefined) print(`  next start: ${Math.round(restart)} ms`);
  print(`  ${missed.length === 0 ? "all targets reached" : `MISSED: ${missed.join("; ")}`}`);
}

function shownCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts).map(([what, count]) => `${what} x ${count}`).join(", ") ||
    "nothing";
}

function printTable(results: readonly Result[]): void {
  const { peak, settled, read, readWorking, late } = TARGETS;
  print("");
  print(table([
    [
      "MB over idle, ms",
      "at most",
      `${settleMs / 1000} s after`,
      "slowest read",
      "(calm)",
      "newcomer",
      "late p99",
      "(calm)",
      "late max",
      "MB/s written",
      "lived",
      "reached",
    ],
    ...results.map((one) => [
      one.name,
      one.peak.toFixed(0),
      one.settled.toFixed(0),
      one.slowestRead.toFixed(0),
      one.calm.slowestRead.toFixed(0),
      one.slowestDoor.toFixed(0),
      one.lateP99.toFixed(1),
      one.calm.lateP99.toFixed(1),
      one.lateMax.toFixed(0),
      one.writtenPerSecond.toFixed(1),
      one.lived ? "yes" : "NO",
      one.missed.length === 0 ? "yes" : "NO",
    ]),
    [
      "target",
      `${peak}`,
      `${settled}`,
      `${read}/${readWorking}`,
      "",
      "",
      `${late}`,
      "",
      "",
      "",
      "",
      "",
    ],
  ]));
}
