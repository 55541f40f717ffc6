/**
 * `faderd copy restore` and `faderd copy check`: a whole copy becomes the console of a data folder,
 * or is only read.
 *
 * @module
 */
import { reasonOf } from "../../core/errors.ts";
import { beginReplay } from "../../core/replay.ts";
import { denoFileSystem } from "../../runtimes/deno/file-system.ts";
import { inspectLog } from "../../runtimes/deno/log.ts";
import { closing, type Lock, writeFully } from "../../storage/file-system.ts";
import { isMissing } from "../../storage/storage-error.ts";
import type { Given } from "../command-line.ts";
import {
  configurationFile,
  exists,
  loadConfiguration,
  readToServe,
} from "../configuration-file.ts";
import { onMedium } from "../data-folder.ts";
import { Failure } from "../failure.ts";
import { TOKEN_FILE } from "../first-token.ts";
import { readText } from "../named-file.ts";
import { type Place, placeOf } from "../place.ts";
import { print, printJson } from "../print.ts";
import { type Replacement, replacementOf, replaceText, streamed } from "../private-file.ts";
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
 * `--replace` the data that was there is moved aside, and a configuration that it replaces is
 * copied there; without it {@link Failure} is thrown if there is any.
 */
export function copyRestore(given: Given): Promise<void> {
  const place = placeOf(given);
  return onMedium(place.data, restore(given, place));
}

async function restore(given: Given, { data, config }: Place): Promise<void> {
  await denoFileSystem.makeFolder(data);
  const lock = await lockOf(data);
  const staged = `${data}/${STAGED}`;
  try {
    const old = [...Deno.readDirSync(data)].map(({ name }) => name).filter(isOfConsole).sort();
    expectReplace(given, old.length > 0 ? `${data} holds a console already` : undefined);
    await Deno.remove(staged, { recursive: true }).catch(() => {});
    await denoFileSystem.makeFolder(staged);
    const { origin, names, configuration } = await stage(given, staged);
    const target = configurationFile(config, data);
    const replaced = config === undefined ? undefined : replacedText(config, configuration);
    const isOther = replaced !== undefined;
    expectReplace(given, isOther ? `${target} holds another configuration` : undefined);
    // Written before anything is moved, so that a path that cannot be written changes nothing.
    await using written = config === undefined || configuration === undefined
      ? undefined
      : await writtenBeside(config, configuration);
    const aside = old.length > 0 || isOther ? await moveAside(data, old, replaced) : undefined;
    // The first file of the log is moved last: after a power cut between two moves, a start finds a
    // damaged log, and says so, rather than a log that ends early.
    const moved = names.filter((name) => name !== CONFIGURATION || written === undefined);
    for (const name of moved.sort().reverse()) {
      await Deno.rename(`${staged}/${name}`, `${data}/${name}`);
    }
    await written?.use();
    await denoFileSystem.syncFolder(data);
    const { device, serial, time } = origin;
    print(`${data} is ${device} (serial number ${serial}) as it was at ${time}`);
    const isDemo = configuration === undefined;
    print(`its configuration is ${isDemo ? "that of the demo console" : `in ${target}`}`);
    if (isDemo && exists(target)) {
      print(`${target} was left as it is: a start with it has its configuration`);
    }
    if (!isDemo) sayMissing(target);
    if (aside !== undefined) print(`what was there before is in ${aside}`);
  } finally {
    await Deno.remove(staged, { recursive: true }).catch(() => {});
    lock.release();
  }
}

/** Says whether a file belongs to the console of a data folder; a copy lacks the first token. */
function isOfConsole(name: string): boolean {
  return isContent(name) || name === TOKEN_FILE;
}

/** Throws {@link Failure} if something is there that only `--replace` may replace. */
function expectReplace(given: Given, there: string | undefined): void {
  if (there === undefined || given.has("replace")) return;
  throw new Failure(`${there}: with --replace it is moved aside`);
}

/** Returns the text that a configuration replaces in its file; undefined if none would be lost. */
function replacedText(file: string, by: string | undefined): string | undefined {
  if (by === undefined || !exists(file)) return undefined;
  const text = readText(file);
  return text === by ? undefined : text;
}

async function writtenBeside(file: string, configuration: string): Promise<Replacement> {
  try {
    return await replacementOf(file, streamed(configuration));
  } catch (fault) {
    throw new Failure(`${file} could not be written: ${reasonOf(fault)}`);
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
  const file = names.includes(CONFIGURATION) ? `${staged}/${CONFIGURATION}` : undefined;
  const replay = beginReplay(loadConfiguration(file));
  const { recovery } = await inspectLog(staged, (record) => {
    try {
      replay.read(record);
    } catch (fault) {
      const reason = reasonOf(fault);
      throw new Failure(`${given.get("file")} holds what this version cannot read: ${reason}`);
    }
  });
  if (recovery.damage !== undefined) {
    throw new Failure(`the log in the copy is damaged: ${recovery.damage.reason}`);
  }
  return { origin, names, configuration: file === undefined ? undefined : readText(file) };
}

/** Prints which files a configuration names, and this machine does not have: no copy has them. */
function sayMissing(file: string): void {
  const read = readToServe(file);
  const faults = "faults" in read ? read.faults : [];
  for (const { path, reason } of faults) {
    print(`${file}: ${path}: ${reason}: the service does not start before that is mended`);
  }
  const { ca } = loadConfiguration(file).fleet;
  if (ca === undefined) return;
  try {
    Deno.statSync(ca);
  } catch (fault) {
    if (!isMissing(fault)) return;
    print(`${file}: fleet.ca: ${ca} is not there: the console dials no hub without it`);
  }
}

/**
 * Moves the files of the old console into a folder beside the new files, and writes the text of its
 * configuration there, if that stood elsewhere.
 */
async function moveAside(
  data: string,
  names: readonly string[],
  configuration: string | undefined,
): Promise<string> {
  const aside = `${data}/replaced-${new Date().toISOString().replaceAll(":", "-")}`;
  // The data folder may have a file of that name beside the one that the command line names.
  const name = names.includes(CONFIGURATION) ? `named-${CONFIGURATION}` : CONFIGURATION;
  try {
    await denoFileSystem.makeFolder(aside);
    if (configuration !== undefined) await replaceText(`${aside}/${name}`, configuration);
    for (const name of names) await Deno.rename(`${data}/${name}`, `${aside}/${name}`);
    await denoFileSystem.syncFolder(aside);
  } catch (fault) {
    throw new Failure(`the files in ${data} could not be moved aside: ${reasonOf(fault)}`);
  }
  return aside;
}
