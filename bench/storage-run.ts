/**
 * The measuring half of `bench/storage.ts`, in processes of their own:
 * `storage-run.ts write|fill|start|bare CONTENDER[,CONTENDER..] FOLDER` prints one JSON object.
 *
 * @module
 */
import process from "node:process";
import type { Contender } from "./storage-contenders.ts";

/** One burst of durable changes. */
export interface Burst {
  /** Durable changes per second. */
  perSecond: number;
  /** CPU time of all threads per change, in microseconds. */
  microseconds: number;
  /** Bytes handed to the system, and bytes of pages it had to write, per change. */
  handedBytes: number;
  pageBytes: number;
}

/**
 * The figures of `write`: the first 1,000 changes of a new folder, the next 3,000, then 64 writers.
 */
export interface Bursts {
  fresh: Burst[];
  one: Burst[];
  many: Burst[];
}

/** The figures of `start`. */
export interface StartFigures {
  milliseconds: number;
  records: number;
  /** Resident memory afterwards, in bytes. */
  residentBytes: number;
}

const faders = 512;
const payloadBytes = 60;

function changeOf(count: number): [key: string, payload: Uint8Array] {
  const label = `{"mixer":0,"fader":${count % faders},"label":"Guest ${count}"`.padEnd(59) + "}";
  return [`0/${count % faders}`, new TextEncoder().encode(label).subarray(0, payloadBytes)];
}

function ioOf(): { handed: number; pages: number } {
  const io = Deno.readTextFileSync("/proc/self/io");
  const value = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, "m").exec(io)?.[1]);
  return { handed: value("wchar"), pages: value("write_bytes") };
}

let count = 0;

async function burst(contender: Contender, writers: number, each: number): Promise<Burst> {
  const before = ioOf();
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  await Promise.all(Array.from({ length: writers }, async () => {
    for (let left = each; left > 0; left--) await contender.change(...changeOf(count++));
  }));
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const after = ioOf();
  const changes = writers * each;
  return {
    perSecond: changes / seconds,
    microseconds: (user + system) / changes,
    handedBytes: (after.handed - before.handed) / changes,
    pageBytes: (after.pages - before.pages) / changes,
  };
}

/**
 * The contenders take turns, 100 changes each, so that a slow moment of the medium hits them all.
 */
async function write(all: ReadonlyMap<string, Contender>): Promise<Record<string, Bursts>> {
  const result: Record<string, Bursts> = {};
  for (const name of all.keys()) result[name] = { fresh: [], one: [], many: [] };
  const phases = [["fresh", 10, 1, 100], ["one", 30, 1, 100], ["many", 20, 64, 10]] as const;
  for (const [phase, bursts, writers, each] of phases) {
    for (let done = 0; done < bursts; done++) {
      for (const [name, contender] of all) {
        result[name]![phase].push(await burst(contender, writers, each));
      }
    }
  }
  return result;
}

function residentBytes(): number {
  const status = Deno.readTextFileSync("/proc/self/status");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function measure(task: string, names: string[], folder: string): Promise<unknown> {
  if (task === "bare") {
    await pause(500);
    return { milliseconds: 0, records: 0, residentBytes: residentBytes() } satisfies StartFigures;
  }
  const { contenders } = await import("./storage-contenders.ts");
  const all = new Map(names.map((name) => [name, contenders[name]!()]));
  const began = performance.now();
  let records = 0;
  for (const [name, contender] of all) {
    await Deno.mkdir(`${folder}/${name}`, { recursive: true });
    records += await contender.open(`${folder}/${name}`);
  }
  const milliseconds = performance.now() - began;
  if (task === "start") {
    await pause(500);
    return { milliseconds, records, residentBytes: residentBytes() } satisfies StartFigures;
  }
  if (task === "write") return await write(all);
  for (const contender of all.values()) {
    await contender.fill(Array.from({ length: 100_000 }, (_, count) => changeOf(count)));
    await contender.close();
  }
  return {};
}

const [task, names, folder] = Deno.args;
const result = await measure(task!, names!.split(","), folder!);
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(result)));
Deno.exit();
