/**
 * A console on a data folder.
 *
 * @module
 */
import type { Configuration } from "../core/configuration/configuration.ts";
import type { Audit } from "../core/audit.ts";
import { checkpointBytes } from "../core/checkpoint-bytes.ts";
import { type Console, createConsole } from "../core/console.ts";
import { withoutPauses } from "../core/cooperative-scheduler.ts";
import type { CooperativeScheduler } from "../core/ports.ts";
import { beginReplay } from "../core/replay.ts";
import { OWN_SITE_KEY } from "../core/site-key.ts";
import { denoFileSystem } from "../runtimes/deno/file-system.ts";
import { isMediumFault, StorageError } from "../storage/storage-error.ts";
import type { FileSystem } from "../storage/file-system.ts";
import { type Log, type LogOptions, openLog } from "../runtimes/deno/log.ts";
import { createAuditFile } from "./audit-file.ts";
import { machine, machineTimer } from "../runtimes/clock.ts";
import { Failure } from "./failure.ts";
import { reasonOf, warn } from "./print.ts";
import { keepSiteKey, type OwnSiteKey, ownSiteKey } from "./site-key-file.ts";
import { HoldsRecords, reopenedLog } from "../storage/reopened-log.ts";

const MINUTE_MS = 60_000;

/** A console and the log that keeps it. */
export interface OpenConsole {
  readonly console: Console;
  readonly log: Log;
  /** Writes the site key in use, if the medium did not take it yet; see {@link OwnSiteKey}. */
  readonly keepSiteKey?: (() => Promise<void>) | undefined;
  /** Closes the log and the audit trail; resolves when both are written as far as possible. */
  close(): Promise<void>;
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
 * Opens the data folder, which is made if it is not there; throws {@link Failure} or {@link
 * StorageError}. Whatever the configuration, the log keeps all its values: values of resources that
 * the configuration does not have are only not in force. If the configuration asks for a site key
 * of its own and the folder has none, a key is made.
 */
export async function openConsole(
  configuration: Configuration,
  directory: string,
  options: OpenOptions = {},
): Promise<OpenConsole> {
  const { connections = () => 0, scheduler = withoutPauses, onStorage, heard } = options;
  const replay = beginReplay(configuration);
  const openFolder = (replay: NonNullable<LogOptions["replay"]>) =>
    openLog(directory, {
      replay,
      checkpoint: () => console.checkpoint(),
      checkpointBytes: () => checkpointBytes(console.state),
      onCondition: () => onStorage?.(),
      scheduler,
      random: machine.random,
      // Only a service has an alarm to raise.
      ...(onStorage === undefined ? {} : { timer: machineTimer }),
      ...(options.files === undefined ? {} : { files: options.files }),
    });
  const reopenFolder = async (wasRemoved: boolean) => {
    // A folder that somebody removed is not made anew behind their back.
    if (wasRemoved) await (options.files ?? denoFileSystem).list(directory);
    if (wasRemoved && own !== undefined) await keepSiteKey(directory, own.key);
    return await openFolder(() => {
      throw new HoldsRecords();
    });
  };
  let first: Log | Error;
  try {
    first = await openFolder((record) => readable(directory, () => replay.read(record)));
  } catch (fault) {
    if (fault instanceof Failure || fault instanceof StorageError) throw fault;
    if (onStorage === undefined || !isMediumFault(fault)) {
      throw new Failure(`--data ${directory}: expected a folder to write to: ${reasonOf(fault)}`);
    }
    first = fault as Error;
  }
  const log = reopenedLog(directory, first, reopenFolder);
  let saidAt = -MINUTE_MS;
  const onWatcherFault = (fault: unknown) =>
    warn(`a part of the service failed at a change: ${reasonOf(fault)}`);
  const onStoreFault = (fault: unknown) => {
    // Without a service the caller reports the refusal, so nothing is reported here.
    if (onStorage === undefined) return;
    onStorage();
    const now = machine.clock.monotonic();
    if (now - saidAt < MINUTE_MS) return;
    saidAt = now;
    warn(reasonOf(fault));
  };
  const replayed = replay.end();
  const excused = (fault: unknown) =>
    onStorage !== undefined && (isMediumFault(fault) || log.condition.state !== "ok");
  let own: OwnSiteKey | undefined;
  try {
    if (replayed.configuration.siteKey === OWN_SITE_KEY) own = await ownSiteKey(directory, excused);
  } catch (fault) {
    await log.close();
    throw fault;
  }
  const state = { ...replayed, ownSiteKey: own?.key };
  const trail = configuration.audit
    ? createAuditFile(directory, {
      clock: machine.clock,
      timer: machineTimer,
      isFull: () => log.condition.state === "full",
    })
    : undefined;
  const audit: Audit | undefined = heard === undefined ? trail?.tell : (entry) => {
    heard(entry);
    return trail?.tell(entry);
  };
  const readAudit = trail?.read;
  const parts = { ...machine, connections, state, store: log, audit, readAudit };
  const console = createConsole({ ...parts, onStoreFault, onWatcherFault });
  // The staged records of the restore may take most of the medium, and are dead. If the compaction
  // fails, it is tried again.
  console.watch((event) => {
    if (event.type === "restoregivenup") log.compact().catch(() => {});
  });
  return {
    console,
    log,
    keepSiteKey: own?.keep,
    async close() {
      await log.close();
      await trail?.close();
    },
  };
}

/** Reads the content of the folder; throws {@link Failure} if this version cannot. */
function readable(directory: string, read: () => void): void {
  try {
    read();
  } catch (fault) {
    throw new Failure(`${directory} holds what this version cannot read: ${reasonOf(fault)}`);
  }
}
