/**
 * Helpers of most tests of the log: records as text, and temporary folders.
 *
 * @module
 */
import { type FileSystem, wrapFiles } from "../../storage/file-system.ts";
import { type Log, type LogOptions, openLog } from "../../runtimes/deno/log.ts";
import type { DiskLogOptions } from "../../storage/log.ts";
import { repairLog } from "../../runtimes/deno/repair.ts";
import { chanceOf } from "./random.ts";
import { createDisk } from "./simulated-disk.ts";

/** The bytes of a text. */
export function record(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text of a record. */
export function text(payload: Uint8Array): string {
  return new TextDecoder().decode(payload);
}

/** Options that collect the replayed records as texts. */
export function collecting(): { found: string[]; options: Pick<LogOptions, "replay"> } {
  const found: string[] = [];
  return { found, options: { replay: (payload) => void found.push(text(payload)) } };
}

/** Appends all texts at once. */
export async function appendAll(log: Log, texts: readonly string[]): Promise<void> {
  await Promise.all(texts.map((one) => log.append(record(one))));
}

/** Runs `action` with a folder of its own. */
export async function inFolder(action: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "faderd-" });
  try {
    await action(`${folder}/data`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** All files of a folder by name, with their bytes. */
export async function contentOf(folder: string): Promise<Map<string, Uint8Array>> {
  const content = new Map<string, Uint8Array>();
  for (const { name } of (await Array.fromAsync(Deno.readDir(folder)))) {
    content.set(name, await Deno.readFile(`${folder}/${name}`));
  }
  return new Map([...content].sort());
}

/** Records 0 to 8 of most logs that are damaged. */
export const nineTexts: readonly string[] = Array.from({ length: 9 }, (_, at) => `record ${at}`);

/** A log on a simulated disk, in the folder `data`. */
export function simulatedLog(options: LogOptions = {}, seed = 1) {
  const disk = createDisk(chanceOf(seed));
  const { files } = disk;
  const open = (more: Partial<DiskLogOptions> = {}) =>
    openLog("data", { files, ...options, ...more });

  /** The records that a start finds, through the file system `through` if it is given. */
  async function reopened(through: FileSystem = files) {
    const { found, options } = collecting();
    const log = await openLog("data", { files: through, ...options });
    await log.close();
    return { found, log, recovery: log.recovery };
  }

  return {
    disk,
    files,
    open,
    reopened,
    repair: (options: { readonly skip?: boolean } = {}) => repairLog("data", { files, ...options }),
    /** The names in the folder, without the reserve. */
    names: async () => (await files.list("data")).filter((name) => name !== "reserve").sort(),
    /** The records that a start finds after a power cut, on a sound medium. */
    async foundAfterPowerCut(): Promise<string[]> {
      disk.faults = () => undefined;
      disk.restart("power");
      return (await reopened()).found;
    },
  };
}

/** A simulated log, see {@link simulatedLog}. */
export type SimulatedLog = ReturnType<typeof simulatedLog>;

/**
 * A closed log of {@link nineTexts} in three segments, or the first three in a checkpoint and the
 * rest in two segments.
 */
export async function logOfThreeFiles(hasCheckpoint: boolean, seed = 1): Promise<SimulatedLog> {
  const made = simulatedLog({ segmentBytes: 5500 }, seed);
  if (hasCheckpoint) {
    const log = await made.open({ checkpoint: () => nineTexts.slice(0, 3).map(record) });
    await log.compact();
    await log.close();
  }
  const log = await made.open();
  for (const one of nineTexts.slice(hasCheckpoint ? 3 : 0)) await log.append(record(one));
  await log.close();
  return made;
}

/** Flips one bit of each byte at `places`. */
export const flip = (...places: number[]) => (bytes: Uint8Array) =>
  bytes.map((byte, at) => places.includes(at) ? byte ^ 1 : byte);

/** Flips one bit of the same byte in both headers. */
export const flipHeaders = (at: number) => flip(at, 4096 + at);

/** Takes bytes off the end. */
export const shorten = (by: number) => (bytes: Uint8Array) => bytes.slice(0, -by);

/** A file system in which one file has an unreadable sector at offset `sector`. */
export function unreadable(files: FileSystem, name: string, sector: number): FileSystem {
  return wrapFiles(files, (file, path) => ({
    ...file,
    read(buffer, offset) {
      const isHit = path.endsWith(`/${name}`) && offset < sector + 512 &&
        offset + buffer.length > sector;
      if (!isHit) return file.read(buffer, offset);
      return Promise.reject(Object.assign(new Error("input/output error"), { code: "EIO" }));
    },
  }));
}
