/**
 * `faderd copy restore` and `faderd copy check`: a whole copy becomes the console of a data folder,
 * or is only read.
 *
 * @module
 */
import { reasonOf } from "../../core/errors.ts";
import { denoFileSystem } from "../../runtimes/deno/file-system.ts";
import { inspectLog } from "../../runtimes/deno/log.ts";
import { closing, type Lock, writeFully } from "../../storage/file-system.ts";
import type { Given } from "../command-line.ts";
import { configurationFile, loadConfiguration } from "../configuration-file.ts";
import { Failure } from "../failure.ts";
import { placeOf } from "../place.ts";
import { print, printJson } from "../print.ts";
import { replaceText } from "../private-file.ts";
import { CONFIGURATION, isContent } from "./contents.ts";
import { readCopy } from "./read.ts";

/** The folder in the data folder where a copy stands until all of it is there. */
const STAGED = "restoring";

/**
 * Reads all of a copy, and prints its console and time; throws {@link Failure} if it is not whole.
 */
export async function copyCheck(given: Given): Promise<void> {
  const { origin, sums } = await readCopy(given, async (_name, pieces) => {
    for await (const _piece of pieces);
  });
  const file = given.get("file")!;
  const { device, serial, time, records, faderd } = origin;
  const bytes = sums.reduce((sum, { bytes }) => sum + bytes, 0);
  if (given.has("json")) {
    const files = sums.map(({ name, bytes }) => ({ name, bytes }));
    return printJson({ file, device, serial, time, faderd, records, files });
  }
  const what = `${device} (serial number ${serial}) at ${time}, by faderd ${faderd}`;
  print(`${file} is whole: ${what}: ${records} records, ${bytes} bytes in ${sums.length} files`);
}

/**
 * Makes the console of a data folder from a copy: its data, its configuration, its site key. With
 * `--replace` the data that was there is moved aside; without it {@link Failure} is thrown if there
 * is any.
 */
export async function copyRestore(given: Given): Promise<void> {
  const { data, config } = placeOf(given);
  await denoFileSystem.makeFolder(data);
  const lock = await lockOf(data);
  try {
    const old = [...Deno.readDirSync(data)].map(({ name }) => name).filter(isContent).sort();
    if (old.length > 0 && !given.has("replace")) {
      throw new Failure(`${data} holds a console already: with --replace it is moved aside`);
    }
    const staged = `${data}/${STAGED}`;
    await Deno.remove(staged, { recursive: true }).catch(() => {});
    await denoFileSystem.makeFolder(staged);
    const { origin, names } = await stage(given, staged);
    const aside = old.length === 0 ? undefined : await moveAside(data, old);
    const target = configurationFile(config, data);
    const isConfigured = names.includes(CONFIGURATION);
    // The first file of the log is moved last: after a power cut between two moves, a start finds a
    // damaged log, and says so, rather than a log that ends early.
    for (const name of names.filter((name) => name !== CONFIGURATION).sort().reverse()) {
      await Deno.rename(`${staged}/${name}`, `${data}/${name}`);
    }
    if (isConfigured) {
      await replaceText(target, Deno.readTextFileSync(`${staged}/${CONFIGURATION}`));
    }
    await Deno.remove(staged, { recursive: true });
    await denoFileSystem.syncFolder(data);
    const { device, serial, time } = origin;
    print(`${data} is ${device} (serial number ${serial}) as it was at ${time}`);
    print(`its configuration is ${isConfigured ? `in ${target}` : "that of the demo console"}`);
    if (aside !== undefined) print(`what was there before is in ${aside}`);
  } finally {
    lock.release();
  }
}

async function lockOf(data: string): Promise<Lock> {
  const lock = await denoFileSystem.lock(data);
  if (lock !== undefined) return lock;
  throw new Failure(`${data} is in use by another process: stop the service first`);
}

/**
 * Unpacks a copy, and reads its log and its configuration, to make sure that the console can be
 * started.
 */
async function stage(given: Given, staged: string) {
  const names: string[] = [];
  try {
    const { origin } = await readCopy(given, async (name, pieces) => {
      names.push(name);
      await closing(denoFileSystem.create(`${staged}/${name}`), async (file) => {
        let at = 0;
        for await (const piece of pieces) {
          await writeFully(file, piece, at);
          at += piece.length;
        }
        await file.sync();
      });
    });
    const { recovery } = await inspectLog(staged);
    if (recovery.damage !== undefined) {
      throw new Failure(`the log in the copy is damaged: ${recovery.damage.reason}`);
    }
    if (names.includes(CONFIGURATION)) loadConfiguration(`${staged}/${CONFIGURATION}`);
    return { origin, names };
  } catch (fault) {
    await Deno.remove(staged, { recursive: true });
    throw fault;
  }
}

/** Moves the files of the old console into a folder beside the new files. */
async function moveAside(data: string, names: readonly string[]): Promise<string> {
  const aside = `${data}/replaced-${new Date().toISOString().replaceAll(":", "-")}`;
  try {
    await denoFileSystem.makeFolder(aside);
    for (const name of names) await Deno.rename(`${data}/${name}`, `${aside}/${name}`);
    await denoFileSystem.syncFolder(aside);
  } catch (fault) {
    throw new Failure(`what is in ${data} could not be moved aside: ${reasonOf(fault)}`);
  }
  return aside;
}
