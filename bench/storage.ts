/**
 * The log beside `node:sqlite` (WAL, synchronous = FULL, one transaction per change) and
 * `classic-level` (sync writes): the same 60-byte label changes on the same medium, in one run.
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
import type { StartFigures, WriteFigures } from "./storage-run.ts";

const names = ["log", "sqlite", "classic-level"];
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

interface Figures {
  one: WriteFigures;
  many: WriteFigures;
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
  const one = new Map<string, WriteFigures[]>();
  const many = new Map<string, WriteFigures[]>();
  const start = new Map<string, StartFigures[]>();
  const lacking = new Set<string>();
  const add = <T>(map: Map<string, T[]>, name: string, value: T) => {
    map.set(name, [...map.get(name) ?? [], value]);
  };
  for (const name of names) {
    await run("fill", name, `${folder}/${name}-start`).catch((fault: Error) => {
      lacking.add(name);
      print(`${name} is left out: ${fault.message}`);
    });
  }
  for (let round = 0; round < rounds; round++) {
    add(start, "bare", await run<StartFigures>("bare", "bare", folder));
    for (const name of names.filter((one) => !lacking.has(one))) {
      const figures = await run<WriteFigures[]>("write", name, `${folder}/${name}-${round}`);
      add(one, name, figures[0]!);
      add(many, name, figures[1]!);
      add(start, name, await run<StartFigures>("start", name, `${folder}/${name}-start`));
    }
  }
  const bare = medianOf(start.get("bare")!).residentBytes;
  return new Map([...one.keys()].map((name) => {
    const started = medianOf(start.get(name)!);
    return [name, {
      one: medianOf(one.get(name)!),
      many: medianOf(many.get(name)!),
      start: { ...started, residentBytes: started.residentBytes - bare },
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
  row([
    "",
    "1 writer/s",
    "64 writers/s",
    "B/change 1",
    "B/change 64",
    "pages B 64",
    "start ms",
    "MB",
  ]);
  for (const [name, { one, many, start }] of figures) {
    row([
      name,
      one.perSecond,
      many.perSecond,
      one.handedBytes,
      many.handedBytes,
      many.pageBytes,
      start.milliseconds,
      (start.residentBytes / 1e6).toFixed(1),
    ]);
  }
  const log = figures.get("log")!;
  const peer = figures.get("sqlite")!;
  const ratios = {
    oneWriter: log.one.perSecond / peer.one.perSecond,
    writers64: log.many.perSecond / peer.many.perSecond,
    bytesOneWriter: log.one.handedBytes / peer.one.handedBytes,
    bytes64: log.many.handedBytes / peer.many.handedBytes,
    pageBytes64: log.many.pageBytes / peer.many.pageBytes,
    startMs: log.start.milliseconds,
  };
  print(`
of SQLite: 1 writer ${ratios.oneWriter.toFixed(2)} (to reach 1.2), 64 writers ${
    ratios.writers64.toFixed(1)
  } (10), bytes per change ${ratios.bytesOneWriter.toFixed(3)} (0.1), in pages with 64 writers ${
    ratios.pageBytes64.toFixed(3)
  }; start-up ${ratios.startMs.toFixed(0)} ms (1000)`);
  if (Deno.args.includes("--json")) {
    print(JSON.stringify({ figures: Object.fromEntries(figures), ratios }));
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
