/**
 * The append log: records go in and are acknowledged once they are on the medium, and come back in
 * order at the next start. It knows bytes, not their meaning. `docs/storage.md` describes it on one
 * page.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { chanceOf } from "../tests/storage/random.ts";
 * import { createDisk } from "../tests/storage/simulated-disk.ts";
 *
 * const { files } = createDisk(chanceOf(1));
 * const random = { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) };
 * const log = await openLog("data", { files, random });
 * await log.append(new TextEncoder().encode("Host")); // on the medium from here on
 * await log.close();
 *
 * const found: string[] = [];
 * const again = await openLog("data", {
 *   files,
 *   random,
 *   replay: (record) => found.push(new TextDecoder().decode(record)),
 *   checkpoint: () => found.map((text) => new TextEncoder().encode(text)),
 * });
 * assertEquals(found, ["Host"]);
 * await again.close();
 * ```
 *
 * @module
 */
import { withoutPauses } from "../core/cooperative-scheduler.ts";
import type { Random } from "../core/ports.ts";
import { createCompactor } from "./compaction.ts";
import { createCondition } from "./condition.ts";
import { defaultSegmentBytes, type Log, type LogOptions, type Recovery } from "./contract.ts";
import { lockFolder } from "./folder.ts";
import { newLog } from "./format.ts";
import type { FileSystem, Lock } from "./file-system.ts";
import { createGroupCommit } from "./group-commit.ts";
import { recover, type Recovered, type VisitRecord } from "./recovery.ts";
import { createRoom } from "./room.ts";
import { watchSyncs } from "./slow-syncs.ts";
import { openReserve } from "./reserve.ts";
import { StorageError } from "./storage-error.ts";
import { createActiveSegment } from "./active-segment.ts";
import { type LogMedium, spaceOf } from "./log-medium.ts";

export type * from "./contract.ts";

/** How a log on a medium is opened. */
export interface DiskLogOptions extends LogOptions {
  readonly files: FileSystem;
  /** Source of the random numbers that tell logs and files apart. */
  readonly random: Random;
}

/**
 * Opens the log in `folder`, which is made if it does not exist, and replays it. Rejects with a
 * {@link StorageError} if another process has locked the folder or another version wrote it, and
 * with the error that `replay` throws; nothing is changed then. A damaged log, and a log on a
 * medium that takes no writes, are opened nevertheless; their `condition` says so.
 */
export async function openLog(folder: string, options: DiskLogOptions): Promise<Log> {
  const { files, random, segmentBytes = defaultSegmentBytes, replay } = options;
  await files.makeFolder(folder);
  const lock = await lockFolder({ files, folder });
  try {
    const found = await recover({ files, folder }, (payload) => replay?.(payload));
    const { recovery, log = newLog(random) } = found;
    const place = {
      files,
      folder,
      segmentBytes,
      log,
      random,
      chain: [...found.files],
    };
    if (recovery.damage === undefined) {
      return await writableLog(found, place, lock, options);
    }
    const { file, offset, reason } = recovery.damage;
    const why = `${folder}/${file} is damaged at offset ${offset}: ${reason}`;
    return damagedLog(recovery, spaceOf(place.chain), why, lock);
  } catch (fault) {
    lock.release();
    throw fault;
  }
}

/**
 * Reads all of the log in `folder` without opening it, and gives each good record to `visit`: what
 * `faderd log verify` and `faderd log dump` show. Nothing is changed; other processes are locked
 * out meanwhile. Rejects as {@link openLog} does.
 */
export async function inspectLog(
  folder: string,
  files: FileSystem,
  visit: VisitRecord = () => {},
): Promise<Recovered> {
  const lock = await lockFolder({ files, folder });
  try {
    return await recover({ files, folder }, visit);
  } finally {
    lock.release();
  }
}

async function writableLog(
  found: Recovered,
  given: LogMedium,
  lock: Lock,
  { checkpoint, checkpointBytes, scheduler = withoutPauses, timer, onCondition }: LogOptions,
): Promise<Log> {
  let open = false;
  /** While `retry` runs, a stored record does not yet make the log `ok`. */
  let restoring = false;
  const condition = createCondition((now) => open && onCondition?.(now));
  const syncs = timer && watchSyncs(given.files, timer, condition.slow);
  const place = { ...given, files: syncs?.files ?? given.files };
  const active = createActiveSegment(place, found);
  const reserve = await openReserve(place);
  const ended = condition.compaction;
  const compactor = checkpoint &&
    createCompactor({ ...place, active, checkpoint, scheduler, ended, reserve });
  const room = compactor && createRoom({ ...place, active, reserve, compactor, checkpointBytes });
  const commit = createGroupCommit(room ?? active, written);
  let closing: Promise<void> | undefined;
  await active.open().catch(condition.failed);
  open = true;

  /** Called when a write has ended, with its fault if it failed. */
  function written(fault: unknown): void {
    const lack = fault ?? room?.lack;
    if (lack !== undefined) condition.failed(lack);
    else if (!restoring) condition.well();
    if (compactor?.isDue()) commit.between(compactor.begin).catch(() => {});
  }

  async function retry(stale: boolean): Promise<void> {
    const isWell = condition.now.state === "ok" && !condition.now.slow;
    if (closing !== undefined || isWell && !stale) return;
    restoring = true;
    try {
      await commit.between(room?.restore ?? probe);
      if (stale) await compactor?.request(commit.between);
      condition.well();
    } catch (fault) {
      condition.failed(fault);
    } finally {
      restoring = false;
    }
  }

  async function probe(): Promise<void> {
    await active.open();
    await active.probe();
  }

  async function close(): Promise<void> {
    await commit.idle();
    await compactor?.stop();
    await active.close();
    syncs?.stop();
    lock.release();
  }

  return {
    recovery: found.recovery,
    get condition() {
      return condition.now;
    },
    get space() {
      return spaceOf(place.chain);
    },
    append(record) {
      return closing === undefined ? commit.append(record) : Promise.reject(
        new StorageError("closed", "the change could not be stored: the log is closed"),
      );
    },
    retry: ({ stale = false } = {}) => retry(stale),
    compact() {
      return compactor?.request(commit.between) ??
        Promise.reject(new TypeError("compact: no checkpoint given"));
    },
    close() {
      return closing ??= close();
    },
  };
}

function damagedLog(recovery: Recovery, space: Log["space"], why: string, lock: Lock): Log {
  const refuse = () =>
    Promise.reject(new StorageError("readOnly", `the change could not be stored: ${why}`));
  let isClosed = false;
  return {
    recovery,
    condition: { state: "damaged", why },
    space,
    append: refuse,
    compact: refuse,
    retry: () => Promise.resolve(),
    close() {
      // A second release would close a file of somebody else that has the same descriptor by then.
      if (!isClosed) lock.release();
      isClosed = true;
      return Promise.resolve();
    },
  };
}
