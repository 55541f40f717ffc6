/**
 * The append log: records go in and are acknowledged once they are on the medium, and come back in
 * order at the next start. It knows bytes, not what they mean. `docs/storage.md` is its one page.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { chanceOf } from "../tests/storage/random.ts";
 * import { createDisk } from "../tests/storage/simulated-disk.ts";
 *
 * const { files } = createDisk(chanceOf(1)); // without it, the real file system
 * const log = await openLog("data", { files });
 * await log.append(new TextEncoder().encode("Host")); // on the medium from here on
 * await log.close();
 *
 * const found: string[] = [];
 * const again = await openLog("data", {
 *   files,
 *   replay: (record) => found.push(new TextDecoder().decode(record)),
 *   checkpoint: () => found.map((text) => new TextEncoder().encode(text)),
 * });
 * assertEquals(found, ["Host"]);
 * await again.close();
 * ```
 *
 * @module
 */
import { unpaced } from "../core/pacer.ts";
import { createCompactor, spaceOf } from "./compaction.ts";
import { defaultSegmentBytes, type Log, type LogOptions, type Recovery } from "./contract.ts";
import { denoFileSystem } from "./deno/file-system.ts";
import { lockFolder } from "./folder.ts";
import { createGroupCommit } from "./group-commit.ts";
import { recover, type Recovered, type VisitRecord } from "./recovery.ts";
import type { Space } from "./space.ts";
import { describeFault, StorageError } from "./storage-error.ts";
import { openTail, type Tail, type TailOptions } from "./tail.ts";

export type * from "./contract.ts";

/**
 * Opens the log in `folder`, which is made if it is not there, and replays it. Rejects with a
 * {@link StorageError} when another process has the folder or a newer version wrote it, and with
 * whatever `replay` throws; nothing is changed then. A damaged log opens read-only.
 */
export async function openLog(folder: string, options: LogOptions = {}): Promise<Log> {
  const { files = denoFileSystem, segmentBytes = defaultSegmentBytes, replay } = options;
  await files.makeFolder(folder);
  const release = await lockFolder(files, folder);
  try {
    const found = await recover(files, folder, (payload) => replay?.(payload));
    const { recovery, stale } = found;
    const place = { files, folder, segmentBytes, chain: [...found.files] };
    const readOnly = (why: string) => readOnlyLog(recovery, spaceOf(place.chain), why, release);
    if (recovery.damage !== undefined) {
      const { file, offset, reason } = recovery.damage;
      return readOnly(`${folder}/${file} is damaged at offset ${offset}: ${reason}`);
    }
    return await openTail(place, stale).then(
      (tail) => writableLog(recovery, tail, place, options, release),
      (fault) => readOnly(`${folder} could not be made safe to write to: ${describeFault(fault)}`),
    );
  } catch (fault) {
    release();
    throw fault;
  }
}

/**
 * Reads all of the log in `folder` without opening it, and gives each good record to `visit`: what
 * `faderd log verify` and `faderd log dump` show. Nothing is changed; others are kept out
 * meanwhile. Rejects as {@link openLog} does.
 */
export async function inspectLog(
  folder: string,
  visit: VisitRecord = () => {},
  files = denoFileSystem,
): Promise<Recovered> {
  const release = await lockFolder(files, folder);
  try {
    return await recover(files, folder, visit);
  } finally {
    release();
  }
}

function writableLog(
  recovery: Recovery,
  tail: Tail,
  place: TailOptions,
  { checkpoint, pacer = unpaced }: LogOptions,
  release: () => void,
): Log {
  const commit = createGroupCommit(tail, () => compactor?.written());
  const { between } = commit;
  const compactor = checkpoint &&
    createCompactor({ ...place, tail, checkpoint, pacer, between });
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    await commit.idle();
    await compactor?.stop();
    await tail.close();
    release();
  }

  return {
    recovery,
    get condition() {
      return { ...commit.condition, ...compactor?.condition };
    },
    get space() {
      return spaceOf(place.chain);
    },
    append(record) {
      return closing === undefined
        ? commit.append(record)
        : Promise.reject(new StorageError("closed", "could not be stored: the log is closed"));
    },
    compact() {
      return compactor?.request() ?? Promise.reject(new TypeError("compact: no checkpoint given"));
    },
    close() {
      return closing ??= close();
    },
  };
}

function readOnlyLog(recovery: Recovery, space: Space, why: string, release: () => void): Log {
  const refuse = () => Promise.reject(new StorageError("readOnly", `could not be stored: ${why}`));
  return {
    recovery,
    condition: { readOnly: why },
    space,
    append: refuse,
    compact: refuse,
    close() {
      release();
      return Promise.resolve();
    },
  };
}
