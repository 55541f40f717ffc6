/**
 * `faderd log verify|dump|repair|compact|drop-unknown`: the log of a data folder that no service
 * uses, or, with `--url`, the report of a running service on its own log.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import { dropUnknown } from "../core/configuration/dropunknown.ts";
import { eventsIn } from "../core/record.ts";
import { beginReplay } from "../core/replay.ts";
import type { StorageState } from "../core/storage-alarm.ts";
import { sentenceOfQuarantined } from "../storage/recovery-sentences.ts";
import type { Recovery } from "../storage/contract.ts";
import { inspectLog } from "../runtimes/deno/log.ts";
import { repairLog } from "../runtimes/deno/repair.ts";
import type { Given } from "./command-line.ts";
import { configurationOf } from "./configuration-file.ts";
import { carryOut, expectFolder, folderOf, onDataFolder, onMedium } from "./data-folder.ts";
import { Failure, misuse } from "./failure.ts";
import type { OpenConsole } from "./open-console.ts";
import { print, printJson } from "./print.ts";
import { noFaderd, type RunningService, saidIn, serviceOf } from "./running-service.ts";

/** Maximum number of unreadable records that are listed; further ones are only counted. */
const NAMED_RECORDS = 10;

/** The state of the storage of a service, in words. */
const STORAGE: Readonly<Record<StorageState, string>> = {
  ok: "the log was good when the service started, and all that is in force is stored",
  slow: "the medium takes 2 s or more to store a change",
  full: "the medium is full: what is changed now is not stored",
  readonly: "the medium takes no writes: what is changed now is not stored",
  damaged: "the log was damaged when the service started; stop it and see faderd log verify --help",
};

/**
 * Prints a summary of the log; throws {@link Failure} if it is damaged, or holds records that the
 * service could not read.
 */
export async function logVerify(given: Given): Promise<void> {
  const service = serviceOf(given);
  const isJson = given.has("json");
  if (service !== undefined) return await sayStorage(service, isJson);
  const data = expectFolder(folderOf(given));
  const replay = beginReplay(configurationOf(undefined, data));
  const unreadable: object[] = [];
  let unread = 0;
  const { recovery, files } = await onMedium(
    data,
    inspectLog(data, (payload, place) => {
      const { file, offset } = place;
      try {
        replay.read(payload);
      } catch (fault) {
        unread += 1;
        if (unread > NAMED_RECORDS) return;
        unreadable.push({ file, offset, reason: reasonOf(fault) });
        if (isJson) return;
        print(`${data}/${file}: the record at offset ${offset} cannot be read: ${reasonOf(fault)}`);
      }
    }),
  );
  if (isJson) {
    const { records, bytes, cut = null, quarantined = null, damage = null } = recovery;
    const listed = files.map(({ name, size, bytes }) => ({ name, size, bytes }));
    const good = damage === null && unread === 0;
    const found = { cut, quarantined, damage, unread, unreadable };
    printJson({ data, good, records, bytes, files: listed, ...found });
  } else {
    for (const { name, size, bytes } of files) {
      print(`${data}/${name}: ${size} bytes, records up to ${bytes}`);
    }
    print(`${recovery.records} records, ${recovery.bytes} bytes`);
    sayUnfinished(data, recovery);
  }
  failWhereDamaged(data, recovery);
  if (unread > 0) throw new Failure(`${data}: ${unread} records cannot be read by this version`);
}

/** Prints the report of a service on its log, which it has read at its start and written since. */
async function sayStorage({ url, request }: RunningService, isJson: boolean): Promise<void> {
  const answer = await request("/health");
  const { storage } = await saidIn(answer);
  const sentence = STORAGE[storage as StorageState];
  if (sentence === undefined) throw noFaderd(url, answer);
  if (isJson) printJson({ url, good: storage === "ok", storage });
  if (storage !== "ok") throw new Failure(`${url}: ${sentence}`);
  if (!isJson) print(`${url}: ${sentence}`);
}

/** Prints each record as a line of JSON: its place, and the events in it. */
export async function logDump(given: Given): Promise<void> {
  const data = expectFolder(given.get("data")!);
  const { recovery } = await onMedium(
    data,
    inspectLog(data, (payload, { file, offset }) => {
      print(JSON.stringify({ file, offset, ...readEvents(payload) }));
    }),
  );
  sayUnfinished(data, recovery);
  failWhereDamaged(data, recovery);
}

function readEvents(payload: Uint8Array) {
  try {
    return { events: eventsIn(payload) };
  } catch (fault) {
    return { unreadable: reasonOf(fault) };
  }
}

/**
 * Ends the log before its damage, or skips the damage, and keeps the old files under other names.
 */
export async function logRepair(given: Given): Promise<void> {
  const data = expectFolder(given.get("data")!);
  const repair = repairLog(data, { skip: given.has("skip") });
  const { found, records, skipped, kept } = await onMedium(data, repair);
  if (given.has("json")) {
    const { damage = null } = found;
    return printJson({ data, damage, skipped, records, kept });
  }
  if (found.damage === undefined) return print(`${data} is not damaged; nothing was changed`);
  const { file, offset, reason } = found.damage;
  print(`${data}/${file} was damaged at offset ${offset}: ${reason}`);
  for (const { file, offset, bytes, reason } of skipped) {
    print(`${data}/${file}: skipped ${bytes} bytes at offset ${offset}: ${reason}`);
  }
  const aside = kept.length === 0 ? "" : `; the damaged files are kept as ${kept.join(", ")}`;
  print(`the log has ${records} records now${aside}`);
}

/** Writes the state anew and removes its history. */
export async function logCompact(given: Given): Promise<void> {
  await compact(given, () => Promise.resolve([]));
}

/**
 * Writes the state anew without the values of resources that the configuration, or the demo
 * console, does not have.
 */
export async function logDropUnknown(given: Given): Promise<void> {
  if (given.has("config") === given.has("demo")) {
    const help = "see faderd log drop-unknown --help";
    throw misuse(`expected either --config FILE or --demo; ${help}`);
  }
  await compact(given, (open) => carryOut(open, "log drop-unknown", dropUnknown));
}

/** Compacts a log once `drop` has returned the paths of the values that it drops. */
async function compact(
  given: Given,
  drop: (open: OpenConsole) => Promise<readonly string[]>,
): Promise<void> {
  const data = expectFolder(given.get("data")!);
  await onDataFolder(data, configurationOf(given.get("config"), data), async (open) => {
    const { log } = open;
    try {
      const before = log.space.total;
      const dropped = await drop(open);
      await log.compact();
      const { total } = log.space;
      if (given.has("json")) return printJson({ data, dropped, before, after: total });
      for (const path of dropped) print(`dropped ${path}`);
      print(`${data}: ${before} bytes of records before, ${total} bytes now`);
    } catch (fault) {
      const advice = log.condition.state !== "damaged" ? "" : "; see faderd log repair --help";
      throw new Failure(`${data} was not compacted: ${reasonOf(fault)}${advice}`);
    }
  });
}

function sayUnfinished(data: string, { cut, quarantined }: Recovery): void {
  if (quarantined !== undefined) print(`${data}/${sentenceOfQuarantined(quarantined)}`);
  if (cut !== undefined) {
    print(`${data}/${cut.file}: ${cut.bytes} bytes of an unfinished write at offset ${cut.offset}`);
  }
}

function failWhereDamaged(data: string, { damage }: Recovery): void {
  if (damage === undefined) return;
  const { file, offset, reason } = damage;
  const advice = "see faderd log repair --help";
  throw new Failure(`${data}/${file} is damaged at offset ${offset}: ${reason}; ${advice}`);
}
