/**
 * The log beside `node:sqlite` (WAL, synchronous = FULL, one transaction per change) and
 * `classic-level` (sync writes), and what the medium allows: the same 60-byte label changes on the
 * same medium, in one run. SQLite's log grows in its first 1,000 changes, which costs it a second write
 * to the medium, and is written over from then on.
 *
 * ```sh
 * deno run --allow-read --allow-write --allow-run bench/storage.ts [--json] [FOLDER]
 * ```
 *
 * To reach: 1 writer 1.2 times SQLite, 64 writers 10 times, a tenth of its bytes, start-up of
 * 100,000 changes in 1.0 s.
 *
 * @module
 */
import type { StartFigures, WritesFigures } from "./storage-run.ts";

const names = ["medium", "log", "sqlite", "classic-level"];
const rounds = 5;

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

async function run<T>(task: string, name: string, folder: string): Promise<T> {
  await Deno.mkdir(folder, { recursive: true });
  const here = import.meta.dirname!;
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-check",
      "--quiet",
      // Deno gives /proc to nothing less.
      "--allow-all",
      ...(name === "classic-level" ? ["--config", `${here}/level.json`] : []),
      `${here}/storage-run.ts`,
      task,
      name,
      folder,
    ],
  }).output();
  if (!success) throw new Error(`${name} ${task}: ${new TextDecoder().decode(stderr).trim()}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

interface Figures extends WritesFigures {
  start: StartFigures;
}

function medianOf<T extends object>(runs: readonly T[]): T {
  const keys = Object.keys(runs[0]!) as (keyof T)[];
  return Object.fromEntries(
    keys.map((key) => [key, median(runs.map((one) => Number(one[key])))]),
  ) as T;
}

/** All rounds of all contenders, taking turns, so that a slow moment hits each. */
async function measure(folder: string): Promise<Map<string, Figures>> {
  const writes = new Map<string, WritesFigures[]>();
  const starts = new Map<string, StartFigures[]>();
  for (const name of names) {
    try {
      await run("fill", name, `${folder}/${name}-start`);
      writes.set(name, []);
      starts.set(name, []);
    } catch (fault) {
      print(`${name} is left out: ${fault instanceof Error ? fault.message : fault}`);
    }
  }
  const bare: StartFigures[] = [];
  for (let round = 0; round < rounds; round++) {
    bare.push(await run("bare", "bare", folder));
    for (const name of writes.keys()) {
      writes.get(name)!.push(await run("write", name, `${folder}/${name}-${round}`));
      starts.get(name)!.push(await run("start", name, `${folder}/${name}-start`));
    }
  }
  const empty = medianOf(bare).residentBytes;
  return new Map([...writes].map(([name, runs]) => {
    const start = medianOf(starts.get(name)!);
    return [name, {
      fresh: medianOf(runs.map(({ fresh }) => fresh)),
      one: medianOf(runs.map(({ one }) => one)),
      many: medianOf(runs.map(({ many }) => many)),
      start: { ...start, residentBytes: start.residentBytes - empty },
    }];
  }));
}

function row(cells: readonly (string | number)[]): void {
  const text = cells.map((cell) => typeof cell === "number" ? cell.toFixed(0) : cell);
  print(text.map((cell, at) => at === 0 ? cell.padEnd(16) : cell.padStart(14)).join(""));
}

const place = Deno.args.find((argument) => !argument.startsWith("--"));
const folder = await Deno.makeTempDir({ prefix: "bench-", ...(place ? { dir: place } : {}) });
try {
  const figures = await measure(folder);
  row(["", "1 writer, new", "1 writer", "64 writers", "bytes", "page bytes 64", "start", "memory"]);
  row(["", "changes/s", "changes/s", "changes/s", "per change", "per change", "ms", "MB"]);
  for (const [name, { fresh, one, many, start }] of figures) {
    row([
      name,
      fresh.perSecond,
      one.perSecond,
      many.perSecond,
      one.handedBytes,
      many.pageBytes,
      start.milliseconds,
      (start.residentBytes / 1e6).toFixed(1),
    ]);
  }
  const log = figures.get("log")!;
  const peer = figures.get("sqlite")!;
  const ratios = {
    oneWriterNew: log.fresh.perSecond / peer.fresh.perSecond,
    oneWriter: log.one.perSecond / peer.one.perSecond,
    oneWriterOfMedium: log.one.perSecond / figures.get("medium")!.one.perSecond,
    writers64: log.many.perSecond / peer.many.perSecond,
    bytes: log.one.handedBytes / peer.one.handedBytes,
    pageBytes64: log.many.pageBytes / peer.many.pageBytes,
    startMilliseconds: log.start.milliseconds,
  };
  print(`
The log, SQLite = 1 (to reach)
  1 writer, first 1,000 changes  ${ratios.oneWriterNew.toFixed(2)} (1.2)
  1 writer, from then on         ${ratios.oneWriter.toFixed(2)} (1.2); of what the medium allows ${
    ratios.oneWriterOfMedium.toFixed(2)
  }
  64 writers                     ${ratios.writers64.toFixed(1)} (10)
  bytes per change               ${ratios.bytes.toFixed(3)} (0.1); in pages, 64 writers ${
    ratios.pageBytes64.toFixed(3)
  }
  start-up, 100,000 changes      ${ratios.startMilliseconds.toFixed(0)} ms (1000 ms)`);
  if (Deno.args.includes("--json")) {
    print(JSON.stringify({ figures: Object.fromEntries(figures), ratios }));
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
