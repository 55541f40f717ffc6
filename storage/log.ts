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
import { createCompactor, spaceOf } from "./compaction.ts";
import type { Log, LogOptions, Recovery, Space } from "./contract.ts";
import { denoFileSystem } from "./deno-file-system.ts";
import { describeFault, StorageError } from "./errors.ts";
import { createGroupCommit } from "./group-commit.ts";
import { lockFolder } from "./lock.ts";
import { recover, type Recovered } from "./recovery.ts";
import { openTail, type Tail, type TailOptions } from "./tail.ts";

export type * from "./contract.ts";

/** The size at which a segment is closed, in bytes, unless options say otherwise. */
export const defaultSegmentBytes = 4 * 1024 * 1024;

/**
 * Opens the log in `directory`, which is made if it is not there, and replays it. Rejects with a
 * {@link StorageError} when another process has the folder or a newer version wrote it, and with
 * whatever `replay` throws; nothing is changed then. A damaged log opens read-only.
 */
export async function openLog(directory: string, options: LogOptions = {}): Promise<Log> {
  const { files = denoFileSystem, replay } = options;
  await files.makeFolder(directory);
  const release = await lockFolder(files, directory);
  try {
    const found = await recover(files, directory, (payload) => replay?.(payload));
    return await build(directory, found, options, release);
  } catch (fault) {
    release();
    throw fault;
  }
}

async function build(
  folder: string,
  { recovery, files: recovered, stale }: Recovered,
  { files = denoFileSystem, segmentBytes = defaultSegmentBytes, checkpoint }: LogOptions,
  release: () => void,
): Promise<Log> {
  const place = { files, folder, segmentBytes, chain: [...recovered] };
  const readOnly = (why: string) => readOnlyLog(recovery, spaceOf(recovered), why, release);
  if (recovery.damage !== undefined) {
    const { file, offset, reason } = recovery.damage;
    return readOnly(`${folder}/${file} is damaged at offset ${offset}: ${reason}`);
  }
  let tail: Tail;
  try {
    tail = await openTail(place, stale);
  } catch (fault) {
    return readOnly(`${folder} could not be made safe to write to: ${describeFault(fault)}`);
  }
  return writableLog(recovery, tail, place, checkpoint, release);
}

function writableLog(
  recovery: Recovery,
  tail: Tail,
  place: TailOptions,
  checkpoint: LogOptions["checkpoint"],
  release: () => void,
): Log {
  const compactor = checkpoint &&
    createCompactor({ ...place, tail, checkpoint, wake: () => commit.wake() });
  const commit = createGroupCommit(tail, compactor);
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
      return {
        ...(commit.failing !== undefined ? { failing: commit.failing } : {}),
        ...(compactor?.failure !== undefined ? { compaction: compactor.failure } : {}),
      };
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
