/**
 * The turns of consoles to be backed up: their queue, the backups that are being made, and the
 * consoles whose last backup failed.
 *
 * @module
 */
import { isRefusal, type Refusal } from "../../core/errors.ts";
import type { Hub } from "../hub/hub.ts";
import type { ConsoleId, FleetMay } from "../wire.ts";
import { isDue, type KeptBackup, newestOf } from "./backup-list.ts";
import type { KeptBackups } from "./kept-backups.ts";
import { makeBackup, type MakeBackupParts } from "./make-backup.ts";

/** Time in ms after which a console whose backup failed is asked again. */
export const AGAIN_MS = 15 * 60_000;

/** Maximum number of nightly backups that are made at a time. */
const AT_ONCE = 2;

/** The failure of the last backup of a console. */
interface Failed {
  readonly why: string;
  readonly time: number;
  /** The console's `fleet.may` at that time; once it changes, the reason may be gone. */
  readonly may: FleetMay | undefined;
}

/** The turns of consoles. */
export interface BackupTurns {
  /**
   * Returns why the last backup of a console failed; undefined if it has not, or if another hub has
   * made one since.
   */
  failed(id: ConsoleId): string | undefined;
  /** Makes the backup of a console, or waits for the one that is being made. */
  make(id: ConsoleId): Promise<KeptBackup | Refusal>;
  /**
   * Queues the consoles whose turn it is, the latest failures last, and begins the first backups.
   */
  begin(): void;
  /** Begins no further backups of queued consoles. */
  close(): void;
}

/** The parts and the settings of {@link createBackupTurns}. */
export interface BackupTurnsParts extends MakeBackupParts {
  readonly hub: Pick<Hub, "consoles" | "fetchAsHub" | "watch">;
  readonly kept: Pick<KeptBackups, "refusal" | "store" | "lists">;
  /** The local time at which the nightly backups begin, such as "02:30". */
  readonly at: string;
  /** Says whether this hub makes the nightly backups now. */
  readonly isOurs: () => boolean;
  /** Called when a backup of a console has been made, or has failed. */
  readonly ended: (id: ConsoleId) => void;
  readonly onFault: (fault: unknown) => void;
}

/** Makes the turns of consoles; none has a backup under way. */
export function createBackupTurns(parts: BackupTurnsParts): BackupTurns {
  const { hub, kept: { lists }, clock, at, isOurs, ended, onFault } = parts;
  const failed = new Map<ConsoleId, Failed>();
  const running = new Map<ConsoleId, Promise<KeptBackup | Refusal>>();
  /** The consoles whose turn it is. */
  let due: ConsoleId[] = [];
  let isClosed = false;

  const stopWatching = hub.watch((id, entry) => {
    if (failed.has(id) && entry?.summary.may !== failed.get(id)?.may) failed.delete(id);
  });

  /** Says whether it is the turn of a console, and the console can be reached. */
  function isDueNow(id: ConsoleId): boolean {
    const now = clock.now();
    // A failure in the future is of a time when the clock of the hub was wrong.
    const wait = Math.abs(now - (failed.get(id)?.time ?? 0));
    return hub.consoles().get(id)?.state === "live" && !running.has(id) &&
      wait >= AGAIN_MS && isDue(id, lists.get(id), at, now);
  }

  /** Begins backups of queued consoles while places are free. */
  function fill(): void {
    while (isOurs() && !isClosed && running.size < AT_ONCE) {
      const id = due.shift();
      if (id === undefined) return;
      if (isDueNow(id)) make(id).catch(onFault);
    }
  }

  function make(id: ConsoleId): Promise<KeptBackup | Refusal> {
    const under = running.get(id);
    if (under !== undefined) return under;
    const made = makeBackup(id, parts).then((outcome) => {
      const may = hub.consoles().get(id)?.summary.may;
      if (isRefusal(outcome)) failed.set(id, { why: outcome.message, time: clock.now(), may });
      else failed.delete(id);
      return outcome;
    }).finally(() => {
      running.delete(id);
      ended(id);
      fill();
    });
    running.set(id, made);
    return made;
  }

  return {
    failed(id) {
      const last = failed.get(id);
      const made = Date.parse(newestOf(lists.get(id))?.time ?? "");
      const isMadeSince = last !== undefined && last.time < made && made <= clock.now();
      return isMadeSince ? undefined : last?.why;
    },
    make,
    begin() {
      const triedAt = (id: ConsoleId) => failed.get(id)?.time ?? 0;
      due = [...hub.consoles().keys()].filter(isDueNow)
        .sort((one, other) => triedAt(one) - triedAt(other));
      fill();
    },
    close() {
      isClosed = true;
      stopWatching();
    },
  };
}
