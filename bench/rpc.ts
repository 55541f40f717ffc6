/**
 * The cost of requests, compared with a bare `Deno.serve` that parses and answers the same number
 * of bytes: CPU time of the server's process, and requests a second. The servers are processes of
 * their own; this process is the client.
 *
 * - `--check` fails where the CPU time of a kind of request, as a ratio to bare, is worse than in
 *   `level.json` by more than a tenth; `--level` writes that file.
 * - `--only TEXT`: only the kinds that have the text in their names.
 * - `--deno COMMAND` runs the servers by another Deno, such as one under an emulator.
 * - `--dir FOLDER` is the folder of the data, by default `/var/tmp`: on a memory file system a sync
 *   costs nothing.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { type LoadFigures, loadFigures, type Measured, measureLoads } from "./load.ts";
import { type ServerProcess, startServer } from "./process.ts";
import { benchOptions, type Comparison, type Figure, figureOf, reached, report } from "./report.ts";
import { type Kind, startServiceForRequests } from "./requests.ts";

const LEVEL = new URL("level.json", import.meta.url);
/** Maximum of a ratio, as a multiple of its level. */
const WORSE = { atMost: 1.1 };
/** The number of processes of each side, because V8 may optimize each process differently. */
const STARTS = 3;

const options = benchOptions({ rounds: 18, seconds: 0.25 });
const { dir = "/var/tmp", deno, only = "", ...flags } = parseArgs(Deno.args, {
  boolean: ["check", "level"],
  string: ["dir", "deno", "only"],
});
const command = deno?.split(" ");
const levels: Readonly<Record<string, number>> = flags.check
  ? JSON.parse(await Deno.readTextFile(LEVEL))
  : {};

const figures = new Map<string, LoadFigures>();
await measureKinds((name) => name.includes(only));
// Worse kinds are measured once more, because the medium may have been slow.
if (flags.check) {
  const worse = besideLevels().filter((figure) => !reached(figure)).map(({ name }) => name);
  if (worse.length > 0) await measureKinds((name) => worse.includes(name));
}
const beside = flags.check ? besideLevels() : [];
const comparisons: Comparison[] = [
  { sides: ["faderd", "bare"], figures: [...figures.values()].flat() },
  ...(flags.check ? [{ sides: ["now", "level"], figures: beside } as const] : []),
];
if (flags.level) await writeLevel();
report("rpc", comparisons, options);
if (!beside.every(reached)) Deno.exitCode = 1;

/**
 * Measures some kinds, in several starts of a new service and new peers that share the rounds
 * equally.
 */
async function measureKinds(isMeant: (name: string) => boolean): Promise<void> {
  const found = new Map<Kind["name"], { readonly kind: Kind; readonly sides: Measured[][] }>();
  for (let start = 0; start < STARTS; start++) {
    const folder = await Deno.makeTempDir({ dir, prefix: "faderd-bench-" });
    const { server, kinds } = await startServiceForRequests(folder, command);
    try {
      for (const kind of kinds.filter(({ name }) => isMeant(name))) {
        const { sides } = found.get(kind.name) ?? { sides: [] };
        found.set(kind.name, { kind, sides: [...sides, await compare(server, kind)] });
      }
    } finally {
      await server.stop();
      await Deno.remove(folder, { recursive: true });
    }
  }
  for (const [name, { kind, sides }] of found) {
    const [ours, peer] = [0, 1].map((side) => joined(sides.map((one) => one[side]!)));
    figures.set(name, loadFigures(name, ours!, peer!, kind.targets));
  }
}

async function compare(server: ServerProcess, { bare, clients, open }: Kind): Promise<Measured[]> {
  const peer = await startServer("bare.ts", bare, command);
  const loaded = await Promise.all([server, peer].map(async (server) => ({
    server,
    connections: await Promise.all(
      Array.from({ length: clients }, (_, client) => open(server.port, client)),
    ),
  })));
  const rounds = Math.ceil(options.rounds / STARTS);
  const measured = await measureLoads(loaded, { ...options, rounds });
  await peer.stop();
  return measured;
}

function joined(parts: readonly Measured[]): Measured {
  return {
    perSecond: parts.flatMap(({ perSecond }) => perSecond),
    microseconds: parts.flatMap(({ microseconds }) => microseconds),
  };
}

/**
 * Makes the figures of the CPU time of each kind, compared with its level; both are ratios to bare.
 */
function besideLevels(): Figure[] {
  return [...figures].map(([name, [{ compared }]]) => {
    const level = levels[name];
    if (level === undefined) throw new Error(`bench/level.json has no level of ${name}`);
    return figureOf(name, "CPU of bare", [compared], [level], "ratio", WORSE);
  });
}

async function writeLevel(): Promise<void> {
  const levels = [...figures].map(([name, [cpu]]) => [name, Number(cpu.compared.toFixed(2))]);
  await Deno.writeTextFile(LEVEL, JSON.stringify(Object.fromEntries(levels), null, 2) + "\n");
}
