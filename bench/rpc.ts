/**
 * What requests cost beside a bare `Deno.serve` that parses as much and answers as many bytes: CPU
 * time of the server's process, and requests a second. The servers are processes of their own, this
 * one is the client.
 *
 * - `--check` fails where the CPU time of a kind of request, as a ratio to bare, is worse than in
 *   `level.json` by more than a tenth; `--level` writes that file.
 * - `--only TEXT`: those kinds alone that have the text in their names.
 * - `--deno COMMAND` runs the servers by another Deno, such as one under an emulator.
 * - `--dir FOLDER` is where the data is, by default `/var/tmp`: what is on a memory file system costs
 *   no sync.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { type LoadFigures, loadFigures, measureLoads } from "./load.ts";
import { startServer } from "./process.ts";
import { benchOptions, type Comparison, type Figure, figureOf, reached, report } from "./report.ts";
import { type Kind, startAsked } from "./requests.ts";

const LEVEL = new URL("level.json", import.meta.url);
/** How many times its level a ratio may be, and how often a kind beyond that is measured again. */
const WORSE = { atMost: 1.1 };
const AGAIN = 2;

const options = benchOptions({ rounds: 20, seconds: 0.25 });
const { dir = "/var/tmp", deno, only = "", ...flags } = parseArgs(Deno.args, {
  boolean: ["check", "level"],
  string: ["dir", "deno", "only"],
});
const command = deno?.split(" ");
const levels: Readonly<Record<string, number>> = flags.check
  ? JSON.parse(await Deno.readTextFile(LEVEL))
  : {};
const folder = await Deno.makeTempDir({ dir, prefix: "faderd-bench-" });
const { server, kinds } = await startAsked(folder, command);
try {
  const figures = new Map<string, LoadFigures>();
  for (const kind of kinds.filter(({ name }) => name.includes(only))) {
    figures.set(kind.name, await measured(kind));
  }
  const comparisons: Comparison[] = [
    { sides: ["faderd", "bare"], figures: [...figures.values()].flat() },
  ];
  const beside = flags.check ? [...figures].map(([name, [cpu]]) => besideLevel(name, cpu)) : [];
  if (flags.check) comparisons.push({ sides: ["now", "level"], figures: beside });
  if (flags.level) await writeLevel(figures);
  report("rpc", comparisons, options);
  if (!beside.every(reached)) Deno.exitCode = 1;
} finally {
  await server.stop();
  await Deno.remove(folder, { recursive: true });
}

/** What worse than its level is measured again: V8 may optimize the next process of bare otherwise. */
async function measured(kind: Kind): Promise<LoadFigures> {
  let figures = await compare(kind);
  for (let again = 0; flags.check && again < AGAIN; again++) {
    if (reached(besideLevel(kind.name, figures[0]))) break;
    figures = await compare(kind);
  }
  return figures;
}

async function compare({ name, bare, clients, targets, open }: Kind): Promise<LoadFigures> {
  const peer = await startServer("bare.ts", bare, command);
  const loaded = await Promise.all([server, peer].map(async (server) => ({
    server,
    connections: await Promise.all(
      Array.from({ length: clients }, (_, client) => open(server.port, client)),
    ),
  })));
  const [ours, theirs] = await measureLoads(loaded, options);
  await peer.stop();
  return loadFigures(name, ours!, theirs!, targets);
}

/** The CPU of a kind beside its level, both as ratios to bare. */
function besideLevel(name: string, { compared }: Figure): Figure {
  const level = levels[name];
  if (level === undefined) throw new Error(`bench/level.json has no level of ${name}`);
  return figureOf(name, "CPU of bare", [compared], [level], "ratio", WORSE);
}

async function writeLevel(figures: ReadonlyMap<string, LoadFigures>): Promise<void> {
  const levels = [...figures].map(([name, [cpu]]) => [name, Number(cpu.compared.toFixed(2))]);
  await Deno.writeTextFile(LEVEL, JSON.stringify(Object.fromEntries(levels), null, 2) + "\n");
}
