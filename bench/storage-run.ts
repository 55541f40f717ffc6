/**
 * One contender in a process of its own: `storage-run.ts write|fill|start|bare CONTENDER FOLDER`.
 * Prints one JSON object.
 *
 * @module
 */
import type { Contender } from "./storage-contenders.ts";

/** Durable changes by some number of writers. */
export interface WriteFigures {
  /** Durable changes per second. */
  perSecond: number;
  /** Bytes handed to the system, and bytes of pages it had to write, per change. */
  handedBytes: number;
  pageBytes: number;
}

/** What `write` measures: the first 1,000 changes of a new folder, the next 3,000, then 64 writers. */
export interface WritesFigures {
  fresh: WriteFigures;
  one: WriteFigures;
  many: WriteFigures;
}

/** What `start` measures. */
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

async function write(contender: Contender, writers: number, each: number): Promise<WriteFigures> {
  let count = 0;
  const before = ioOf();
  const began = performance.now();
  await Promise.all(Array.from({ length: writers }, async () => {
    for (let left = each; left > 0; left--) await contender.change(...changeOf(count++));
  }));
  const seconds = (performance.now() - began) / 1000;
  const after = ioOf();
  return {
    perSecond: count / seconds,
    handedBytes: (after.handed - before.handed) / count,
    pageBytes: (after.pages - before.pages) / count,
  };
}

function residentBytes(): number {
  const status = Deno.readTextFileSync("/proc/self/status");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function measure(task: string, name: string, folder: string): Promise<unknown> {
  if (task === "bare") {
    await pause(500);
    return { milliseconds: 0, records: 0, residentBytes: residentBytes() } satisfies StartFigures;
  }
  const { contenders } = await import("./storage-contenders.ts");
  const contender = contenders[name]!();
  const began = performance.now();
  const records = await contender.open(folder);
  const milliseconds = performance.now() - began;
  if (task === "start") {
    await pause(500);
    return { milliseconds, records, residentBytes: residentBytes() } satisfies StartFigures;
  }
  if (task === "fill") {
    await contender.fill(Array.from({ length: 100_000 }, (_, count) => changeOf(count)));
    await contender.close();
    return {};
  }
  const fresh = await write(contender, 1, 1000);
  const one = await write(contender, 1, 3000);
  const many = await write(contender, 64, 100);
  await contender.close();
  return { fresh, one, many } satisfies WritesFigures;
}

const [task, name, folder] = Deno.args;
const result = await measure(task!, name!, folder!);
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(result)));
Deno.exit();
