/**
 * A console on a data folder.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import type { Configuration } from "../core/configuration/configuration.ts";
import type { Audit } from "../core/audit.ts";
import { withoutPauses } from "../core/cooperative-scheduler.ts";
import type { CooperativeScheduler } from "../core/ports.ts";
import { beginReplay, type Replay } from "../core/replay.ts";
import { denoFileSystem } from "../runtimes/deno/file-system.ts";
import { isMediumFault, StorageError } from "../storage/storage-error.ts";
import type { FileSystem } from "../storage/file-system.ts";
import {
  type OpenConsole as BareConsole,
  openConsole as openConsoleOn,
} from "../runtimes/open-console.ts";
import { ownSiteKey } from "../runtimes/site-key.ts";
import { createAuditFile } from "./audit-file.ts";
import { machine, machineTimer } from "../runtimes/clock.ts";
import { Failure } from "./failure.ts";
import { warn } from "./print.ts";
import { folderTexts } from "./private-file.ts";

const MINUTE_MS = 60_000;

/** A console on a data folder, with its audit trail. */
export interface OpenConsole extends BareConsole {
  /**
   * Calls `listener` with each entry of the audit trail; the returned function ends that. Undefined
   * if the console keeps no trail.
   */
  readonly watchAudit: ((listener: Audit) => () => void) | undefined;
}

/** The options of the opening of a console. */
export interface OpenOptions {
  /** Counts the WebSockets that are open. */
  readonly connections?: () => number;
  /** The scheduler that lets other work run while the log is compacted. */
  readonly scheduler?: CooperativeScheduler;
  /** The file system of the log; by default the file system of this machine. */
  readonly files?: FileSystem;
  /**
   * Called whenever the condition of the log may have changed. With it a console is opened even if
   * the medium does not let the folder be opened, because the caller can raise the alarm.
   */
  readonly onStorage?: () => void;
  /** Called with each entry of the audit trail, whether the trail is kept or not. */
  readonly heard?: Audit;
}

/**
 * Opens the data folder, which is made if it does not exist; throws {@link Failure} or {@link
 * StorageError}. Whatever the configuration, the log keeps all its values: values of resources that
 * the configuration does not have are kept, but are not in force. If the configuration asks for a
 * site key of its own and the folder has none, a key is made.
 */
export async function openConsole(
  configuration: Configuration,
  directory: string,
  options: OpenOptions = {},
): Promise<OpenConsole> {
  const { connections, scheduler = withoutPauses, files = denoFileSystem } = options;
  const { onStorage, heard } = options;
  const trail = configuration.audit
    ? createAuditFile(directory, {
      clock: machine.clock,
      timer: machineTimer,
      isFull: () => open.log.condition.state === "full",
    })
    : undefined;
  const listeners = new Set<Audit>();
  const audit: Audit | undefined = heard === undefined && trail === undefined
    ? undefined
    : (entry) => {
      heard?.(entry);
      for (const listener of listeners) listener(entry);
      return trail?.tell(entry);
    };
  let saidAt = -MINUTE_MS;
  const texts = folderTexts(directory);
  const open = await openConsoleOn(readable(directory, beginReplay(configuration)), {
    texts,
    files,
    scheduler,
    // Only a service has an alarm to raise.
    ...(onStorage === undefined ? {} : { timer: machineTimer }),
    connections,
    audit,
    readAudit: trail?.read,
    onCondition: () => onStorage?.(),
    onWatcherFault: (fault) => warn(`a part of the service failed at a change: ${reasonOf(fault)}`),
    onStoreFault(fault) {
      // Without a service the caller reports the refusal, so nothing is reported here.
      if (onStorage === undefined) return;
      onStorage();
      const now = machine.clock.monotonic();
      if (now - saidAt < MINUTE_MS) return;
      saidAt = now;
      warn(reasonOf(fault));
    },
    async opened(opening) {
      try {
        return await opening;
      } catch (fault) {
        if (fault instanceof Failure || fault instanceof StorageError) throw fault;
        if (onStorage !== undefined && isMediumFault(fault)) return fault as Error;
        const reason = reasonOf(fault);
        throw new Failure(`--data ${directory}: expected a folder to write to: ${reason}`);
      }
    },
    ownSiteKey: (log) =>
      ownSiteKey(texts, (file, what, fault) => {
        const reason = reasonOf(fault);
        if (onStorage === undefined || !isMediumFault(fault) && log.condition.state === "ok") {
          const failed = what === "read" ? "cannot be read" : "could not be written";
          throw new Failure(`${file} ${failed}: ${reason}`);
        }
        warn(`${file} could not be ${what}: ${reason}`);
        warn(
          "until the medium takes it, the site key is in memory only: if the service ends before, " +
            "snapshots and backups that it sealed cannot be used",
        );
      }),
  });
  return {
    ...open,
    watchAudit: trail && ((listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    }),
    async close() {
      await open.close();
      await trail?.close();
    },
  };
}

/** A replay that throws {@link Failure} if this version cannot read the content of the folder. */
function readable(directory: string, replay: Replay): Replay {
  return {
    ...replay,
    read(record) {
      try {
        replay.read(record);
      } catch (fault) {
        throw new Failure(`${directory} holds what this version cannot read: ${reasonOf(fault)}`);
      }
    },
  };
}
