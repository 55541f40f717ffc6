/**
 * The log, compared with `node:sqlite` (WAL, synchronous = FULL, one transaction per change) and
 * `classic-level` (sync writes), and with the limit of the medium: the same 60-byte label changes
 * on the same medium, in one run. SQLite's log grows in its first 1,000 changes, which costs it a
 * second write to the medium, and is overwritten from then on.
 *
 * ```sh
 * deno run --allow-read --allow-write --allow-run bench/storage.ts [--json] [FOLDER]
 * ```
 *
 * Targets: with 1 writer, 0.9 times the changes per second of SQLite if a sync of the medium takes
 * 0.13 ms, and 1.2 times if it takes 1 ms; with 64 writers, 10 times as many; a tenth of its bytes;
 * a start with 100,000 changes in 1.0 s.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { printedBy } from "./process.ts";
import { median, print, table } from "./report.ts";
import type { Burst, Bursts, StartFigures } from "./storage-run.ts";

const names = ["medium", "log", "sqlite", "classic-level"];
const STARTS = 5;

function run<Printed>(
  task: string,
  contenders: readonly string[],
  folder: string,
): Promise<Printed> {
  const config = ["--config", `${import.meta.dirname}/classic-level.json`];
  return printedBy("storage-run.ts", [task, contenders.join(), folder], ["--no-check", ...config]);
}

function medianOf<T extends object>(runs: readonly T[]): T {
  const keys = Object.keys(runs[0]!) as (keyof T)[];
  return Object.fromEntries(
    keys.map((key) => [key, median(runs.map((one) => Number(one[key])))]),
  ) as T;
}

/**
 * Returns the median of a quotient that is taken burst by burst, in which both met the same load of
 * the machine.
 */
function quotient(ones: readonly Burst[], peers: readonly Burst[], figure: keyof Burst): number {
  return median(ones.map((one, at) => one[figure] / peers[at]![figure]));
}

/** Returns the contenders that run here, because a native addon may fail to load. */
async function present(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    try {
      await run("fill", [name], `${folder}/start`);
      found.push(name);
    } catch (fault) {
      print(`${name} is left out: ${fault instanceof Error ? fault.message : fault}`);
    }
  }
  return found;
}

async function start(name: string, folder: string): Promise<StartFigures> {
  const runs: StartFigures[] = [];
  for (let count = 0; count < STARTS; count++) {
    const bare = await run<StartFigures>("bare", [], folder);
    const started = await run<StartFigures>("start", [name], `${folder}/start`);
    runs.push({ ...started, residentBytes: started.residentBytes - bare.residentBytes });
  }
  return medianOf(runs);
}

const { _: [place], json } = parseArgs(Deno.args, {
  boolean: ["json"],
  string: ["rounds", "seconds"],
});
const folder = await Deno.makeTempDir({
  prefix: "bench-",
  ...(place === undefined ? {} : { dir: `${place}` }),
});
try {
  const found = await present(folder);
  const bursts = await run<Record<string, Bursts>>("write", found, `${folder}/write`);
  const rows: string[][] = [
    [
      "",
      ...["1 writer", "64 writers"].map((writers) => `CPU, ${writers}`),
      ...["1 writer, new", "1 writer", "64 writers"],
      ...["bytes", "page bytes 64", "start", "memory"],
    ],
    [
      "",
      ...["us per change", "us per change"],
      ...["changes/s", "changes/s", "changes/s"],
      ...["per change", "per change", "ms", "MB"],
    ],
  ];
  const started = new Map<string, StartFigures>();
  for (const name of found) {
    const { fresh, one, many } = bursts[name]!;
    const figures = await start(name, folder);
    started.set(name, figures);
    const perSecond = [fresh, one, many].map((runs) => medianOf(runs).perSecond);
    const { handedBytes } = medianOf(one);
    const { pageBytes } = medianOf(many);
    const cpu = [one, many].map((runs) => medianOf(runs).microseconds);
    const cells = [...cpu, ...perSecond, handedBytes, pageBytes, figures.milliseconds];
    const memory = (figures.residentBytes / 1e6).toFixed(1);
    rows.push([name, ...cells.map((cell) => cell.toFixed(0)), memory]);
  }
  print(table(rows));
  const { log, sqlite, medium } = bursts as Record<"log" | "sqlite" | "medium", Bursts>;
  const ratios = {
    oneWriterCpu: quotient(log.one, sqlite.one, "microseconds"),
    writers64Cpu: quotient(log.many, sqlite.many, "microseconds"),
    oneWriterNew: quotient(log.fresh, sqlite.fresh, "perSecond"),
    oneWriter: quotient(log.one, sqlite.one, "perSecond"),
    oneWriterOfMedium: quotient(log.one, medium.one, "perSecond"),
    writers64: quotient(log.many, sqlite.many, "perSecond"),
    bytes: quotient(log.one, sqlite.one, "handedBytes"),
    pageBytes64: quotient(log.many, sqlite.many, "pageBytes"),
    startMilliseconds: started.get("log")!.milliseconds,
  };
  const syncMs = 1000 / medianOf(medium.one).perSecond;
  print(`
The log, SQLite = 1 (to reach), where a sync of the medium takes ${syncMs.toFixed(2)} ms
  CPU: 1 writer; 64 writers      ${ratios.oneWriterCpu.toFixed(2)}; ${
    ratios.writers64Cpu.toFixed(2)
  }
  1 writer, first 1,000 changes  ${ratios.oneWriterNew.toFixed(2)} (1.2)
  1 writer, from then on         ${
    ratios.oneWriter.toFixed(2)
  } (0.9 where a sync takes 0.13 ms, 1.2 where it takes 1 ms); of what the medium allows ${
    ratios.oneWriterOfMedium.toFixed(2)
  }
  64 writers                     ${ratios.writers64.toFixed(1)} (10)
  bytes per change               ${ratios.bytes.toFixed(3)} (0.1); in pages, 64 writers ${
    ratios.pageBytes64.toFixed(3)
  }
  start-up, 100,000 changes      ${ratios.startMilliseconds.toFixed(0)} ms (1000 ms)`);
  if (json) {
    print(JSON.stringify({ syncMs, ratios, started: Object.fromEntries(started) }));
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
