/**
 * The backups in the folder: their lists and their archives. A backup counts once its archive has
 * been read back from the medium to its end.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { BACKUP_PACKED_BYTES } from "../../core/limits.ts";
import type { Packed } from "../../core/backup/unpack.ts";
import type { CooperativeScheduler, Timer } from "../../core/ports.ts";
import { contentOf } from "./archive-content.ts";
import type { BackupFiles } from "./backup-files.ts";
import { type BackupList, type KeptBackup, readList, withBackup } from "./backup-list.ts";
import type { ConsoleEntry } from "../hub/hub-core.ts";
import type { ConsoleId } from "../wire.ts";

/** The backups in a folder. */
export interface KeptBackups {
  readonly lists: ReadonlyMap<ConsoleId, BackupList>;
  /** Reads the lists of the folder. */
  read(): Promise<void>;
  /** Removes the files that a dead hub left: unfinished archives, and archives of no list. */
  clear(): Promise<void>;
  /** Refuses a backup of a console whose list cannot be read, before its archive is fetched. */
  refusal(id: ConsoleId): Promise<Refusal | undefined>;
  /**
   * Stores the archive of a console. Refused: a damaged archive, and any archive if this hub may no
   * longer write once it is complete, or cannot read the list of that console. Rejects if the
   * stream breaks off or the medium takes no writes.
   */
  store(
    entry: ConsoleEntry,
    time: string,
    body: ReadableStream<Uint8Array>,
  ): Promise<KeptBackup | Refusal>;
  /** Resolves once the backups that are being listed now are listed. */
  settled(): Promise<unknown>;
}

/** The parts and the settings of {@link keepBackups}. */
export interface KeptBackupsParts {
  readonly files: BackupFiles;
  readonly scheduler: CooperativeScheduler;
  readonly timer: Pick<Timer, "monotonic">;
  /** Number of days whose backups are kept: the newest days on which there is a backup. */
  readonly keep: number;
  /**
   * Says whether this hub, of several, is the one that writes to the folder; undefined where there
   * is no other hub.
   */
  readonly mayWrite: (() => Promise<boolean>) | undefined;
  readonly onFault: (fault: unknown) => void;
}

/** Time in ms after which another hub may take the lease of the hub that writes. */
export const LEASE_MS = 180_000;

const OF_ANOTHER = refuse(
  "notStored",
  "another hub has taken over the backups since this one began",
);

function unreadable(id: ConsoleId): Refusal {
  const what = `consoles/${id}.json in the folder of backups is no list of backups of this console`;
  return refuse("notStored", `${what}: repair it, or move it away to give up what it listed`);
}

/** Makes the backups of a folder, none until it is read. */
export function keepBackups(
  { files, scheduler, timer, keep, mayWrite, onFault }: KeptBackupsParts,
): KeptBackups {
  const lists = new Map<ConsoleId, BackupList>();
  /** The consoles whose lists cannot be read; while there are any, no archive is removed. */
  let unread = new Set<ConsoleId>();
  let listing: Promise<unknown> = Promise.resolve();
  /** The time of the last certain sign that no other hub writes to the folder. */
  let oursAt = 0;

  async function read(): Promise<void> {
    const found = await files.lists();
    const known = unread;
    unread = new Set();
    lists.clear();
    for (const [id, text] of found) {
      const list = readList(text);
      if (list?.console === id) {
        lists.set(id, list);
        continue;
      }
      unread.add(id);
      if (known.has(id)) continue;
      onFault(new Error(`the list of backups of ${id} cannot be read; no archive is removed`));
    }
  }

  /**
   * Refuses to replace an unreadable list by a new one: that would remove the archives of the old
   * list.
   */
  async function unreadRefusal(id: ConsoleId): Promise<Refusal | undefined> {
    // Somebody may have repaired the list since.
    if (unread.has(id)) await read();
    return unread.has(id) ? unreadable(id) : undefined;
  }

  /** Says whether this hub is still the one that writes to the folder. */
  async function isOurs(): Promise<boolean> {
    if (mayWrite === undefined) return true;
    const at = timer.monotonic();
    const may = await mayWrite();
    if (may) oursAt = at;
    return may;
  }

  /** Refuses to list a backup of a console now. */
  async function listRefusal(id: ConsoleId): Promise<Refusal | undefined> {
    return await isOurs() ? await unreadRefusal(id) : OF_ANOTHER;
  }

  /** Reads the lists again if another hub may have changed them while the folder hung. */
  async function readAgain(): Promise<void> {
    if (mayWrite !== undefined && timer.monotonic() - oursAt >= LEASE_MS) await read();
  }

  /** Moves an archive to its place, and then adds it to the list of its console. */
  async function list(
    { id, summary: { name, site } }: ConsoleEntry,
    made: KeptBackup,
    unfinished: string,
  ): Promise<Refusal | undefined> {
    const refusal = await listRefusal(id);
    if (refusal !== undefined) return refusal;
    const { content } = made;
    // It replaces an archive of the same content, which may have been damaged since.
    await files.keep(unfinished, content);
    await readAgain();
    const late = await listRefusal(id);
    if (late !== undefined) return late;
    const before = lists.get(id) ?? { console: id, name, site, backups: [] };
    const now = withBackup({ ...before, name, site }, made, keep);
    await files.writeList(id, JSON.stringify(now, null, 2));
    lists.set(id, now);
    // The backup is listed, whatever becomes of old archives.
    if (now.backups.length <= before.backups.length) await collect().catch(onFault);
    return undefined;
  }

  /** Removes the archives that are in no list. */
  async function collect(): Promise<void> {
    // Before the lists are read, so that an archive that another hub adds later is not among them.
    const archives = await files.archives();
    await readAgain();
    if (!await isOurs()) return;
    if (unread.size > 0) return;
    const listed = new Set(
      [...lists.values()].flatMap(({ backups }) => backups.map(({ content }) => content)),
    );
    for (const content of archives) {
      if (!listed.has(content)) await files.remove("archive", content).catch(onFault);
    }
  }

  function oneByOne<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = listing.then(work);
    listing = done.catch(() => {});
    return done;
  }

  return {
    lists,
    read: () => oneByOne(read),
    clear: () =>
      oneByOne(async () => {
        await files.clear();
        await collect();
      }),
    refusal: (id) => oneByOne(() => unreadRefusal(id)),
    async store(entry, time, body) {
      const { name: unfinished, bytes } = await files.receive(body, BACKUP_PACKED_BYTES);
      try {
        const packed = await files.open("unfinished", unfinished) as Packed;
        const found = await contentOf(packed, scheduler);
        if (isRefusal(found)) return found;
        const made = { time, content: found.content, bytes };
        return await oneByOne(() => list(entry, made, unfinished)) ?? made;
      } finally {
        await files.remove("unfinished", unfinished).catch(onFault);
      }
    },
    settled: () => listing,
  };
}
