/**
 * The effect of a hostile network on an honest client: the time that it waits, the lateness of its
 * moving faders, and the memory that the service takes and keeps, on a console of 128 faders.
 * Attacker and honest client are processes of their own, on addresses of their own.
 *
 * - `--only NAME,NAME`: some attacks (`--list` names them).
 * - `--service PATH/main.ts`: the service of another checkout, to compare with.
 * - `--settle S`: the time in s after the attack at which memory has to be back (30).
 *
 * Questions of access or of a single request are not measured here: the tests cover them
 * (docs/security.md).
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { attacks } from "./hostile/attacks.ts";
import type { Seen } from "./hostile/honest.ts";
import { firstToken, type ServerProcess, startClient, startFaderd } from "./process.ts";
import { print, quantile, sleep, table } from "./report.ts";

/** The targets of every row: memory in MB over idle, times in ms. */
const TARGETS = { peak: 200, settled: 30, read: 300, readWorking: 500, late: 20 };
const CALM_MS = 4000;
/** Maximum time in ms between the end of an attack and its last effects. */
const AFTERMATH_MS = 2000;

const CONFIGURATION = {
  mixers: [{ faders: 128, automix: 8, cleanfeeds: 8, mutegroups: 8 }],
  resources: [{ id: 1, name: "Logo" }],
};

const options = parseArgs(Deno.args, {
  boolean: ["json", "list"],
  string: ["only", "service", "settle", "seconds"],
});
const main = options.service === undefined ? undefined : Deno.realPathSync(options.service);
const settleMs = Number(options.settle ?? 30) * 1000;
const names = options.only?.split(",") ?? Object.keys(attacks);

if (options.list) {
  for (const [name, { what }] of Object.entries(attacks)) print(`${name}: ${what}`);
} else await runAll();

/** The results of one attack. */
interface Row {
  readonly name: string;
  /** Memory in MB over idle: the maximum, and at the end. */
  readonly peak: number;
  readonly settled: number;
  /** The slowest read of the honest client, in ms, before the attack and during it. */
  readonly read: readonly [calm: number, attacked: number];
  /**
   * The lateness of updates of moving faders (99th percentile), in ms, before and during the
   * attack.
   */
  readonly late: readonly [calm: number, attacked: number];
  readonly faults: Seen["faults"];
  readonly told: Readonly<Record<string, number>>;
  readonly missed: readonly string[];
}

async function runAll(): Promise<void> {
  const rows: Row[] = [];
  for (const name of names) rows.push(await run(name));
  const cells = rows.map(({ name, peak, settled, read, late, missed }) => [
    name,
    peak.toFixed(0),
    settled.toFixed(0),
    read[1].toFixed(0),
    read[0].toFixed(0),
    late[1].toFixed(1),
    late[0].toFixed(1),
    missed.length === 0 ? "yes" : "NO",
  ]);
  const head = ["at most", "afterwards", "slowest read", "(calm)", "late p99", "(calm)", "reached"];
  print(table([["MB over idle, ms", ...head], ...cells]));
  if (options.json) print(JSON.stringify({ bench: "hostile", targets: TARGETS, rows }));
}

async function run(name: string): Promise<Row> {
  const attack = attacks[name];
  if (attack === undefined) throw new Error(`there is no attack ${name}; see --list`);
  const folder = await Deno.makeTempDir({ prefix: "faderd-hostile-" });
  await Deno.writeTextFile(`${folder}/config.json`, JSON.stringify(CONFIGURATION));
  const service = await startFaderd(`${folder}/data`, `${folder}/config.json`, [], { main });
  try {
    const { port } = service;
    const user = await addUser(service, "visitor");
    const honest = await addUser(service, "honest");
    const startHonest = () => startClient<Seen>("hostile/honest.ts", [port, honest]);
    const calmClient = await startHonest();
    await sleep(CALM_MS);
    const calm = await calmClient.end();

    const idle = service.residentMegabytes();
    // The peak counts from here on.
    Deno.writeTextFileSync(`/proc/${service.pid}/clear_refs`, "5");
    const client = await startHonest();
    const attacker = await startClient<Row["told"]>("hostile/attacker.ts", [name, port, user]);
    await sleep(Number(options.seconds ?? attack.seconds) * 1000);
    const told = await attacker.end();
    await sleep(AFTERMATH_MS);
    const seen = await client.end();
    await sleep(settleMs - AFTERMATH_MS);
    if (service.ended) throw new Error(`${name}: the service died`);
    const row = {
      name,
      peak: service.peakMegabytes() - idle,
      settled: service.residentMegabytes() - idle,
      read: [quantile(calm.reads, 1), quantile(seen.reads, 1)],
      late: [quantile(calm.late, 0.99), quantile(seen.late, 0.99)],
      faults: seen.faults,
      told,
    } as const;
    const missed = missedBy(row, attack.works === true);
    print(`${name}: ${attack.what}`);
    print(`  told: ${JSON.stringify(told)}; faults: ${JSON.stringify(seen.faults)}`);
    print(`  ${missed.length === 0 ? "all targets reached" : `MISSED: ${missed.join("; ")}`}`);
    return { ...row, missed };
  } finally {
    await service.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

function missedBy({ peak, settled, read, late, faults }: Omit<Row, "missed">, works: boolean) {
  const slowest = works ? TARGETS.readWorking : TARGETS.read;
  return [
    ...(peak <= TARGETS.peak ? [] : [`at most ${TARGETS.peak} MB over idle`]),
    ...(settled <= TARGETS.settled ? [] : [`at most ${TARGETS.settled} MB over idle afterwards`]),
    ...(read[1] <= slowest ? [] : [`slowest read at most ${slowest} ms`]),
    ...(late[1] <= TARGETS.late ? [] : [`p99 lateness at most ${TARGETS.late} ms`]),
    ...(Object.keys(faults).length === 0 ? [] : ["the honest client without a fault"]),
  ];
}

async function addUser(service: ServerProcess, name: string): Promise<string> {
  const payload = { method: "adduser", params: { name, groups: 1 } };
  const body = JSON.stringify({ method: "rpc", token: firstToken(service), payload });
  const answer = await fetch(`http://127.0.0.1:${service.port}/api/rest`, { method: "POST", body });
  const { payload: { result }, error } = await answer.json();
  if (error !== undefined) throw new Error(error.message);
  return result.token;
}
