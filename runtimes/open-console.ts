/**
 * A console on a data folder, from its opening to the last write, for the program and for Node.
 *
 * @module
 */
import { checkpointBytes } from "../core/checkpoint-bytes.ts";
import { type Console, type ConsoleOptions, createConsole } from "../core/console.ts";
import { keepHours, refreshGeneral } from "../core/general.ts";
import type { Replay } from "../core/replay.ts";
import { OWN_SITE_KEY } from "../core/site-key.ts";
import { DEVICE } from "../core/users/user.ts";
import { type DiskLogOptions, type Log, openLog } from "../storage/log.ts";
import { HoldsRecords, reopenedLog } from "../storage/reopened-log.ts";
import { machine } from "./clock.ts";
import type { FolderTexts } from "./folder-texts.ts";
import { keepSiteKey, type OwnSiteKey } from "./site-key.ts";
import type { StorageAlarm } from "./storage-alarm.ts";

/** A console and the log that keeps it. */
export interface OpenConsole {
  readonly console: Console;
  readonly log: Log;
  /** Writes the site key in use, if the medium did not take it yet; see {@link OwnSiteKey}. */
  readonly keepSiteKey?: (() => Promise<void>) | undefined;
  /** Closes the log and all that is kept beside it; resolves when that is written, if possible. */
  close(): Promise<void>;
}

/** The ports and options of the opening of a console. */
export interface OpenConsoleOptions
  extends
    Pick<DiskLogOptions, "files" | "scheduler" | "timer" | "onCondition">,
    Omit<ConsoleOptions, "clock" | "random" | "state" | "store"> {
  readonly texts: FolderTexts;
  /**
   * Waits for the first opening of the folder. Resolves with the log, or with the reason why it
   * could not be opened, if the console is to be opened without its log: the caller can raise the
   * alarm.
   */
  readonly opened: (opening: Promise<Log>) => Promise<Log | Error>;
  /** Returns the key of a configuration that asks for a site key of its own. */
  readonly ownSiteKey: (log: Log) => Promise<OwnSiteKey>;
}

/**
 * Opens the data folder, which is made if it does not exist, and replays its log; rejects as
 * `opened` and `ownSiteKey` do. Whatever the configuration, the log keeps all its values: values of
 * resources that the configuration does not have are kept, but are not in force.
 */
export async function openConsole(
  replay: Replay,
  options: OpenConsoleOptions,
): Promise<OpenConsole> {
  const { files, texts } = options;
  const { folder } = texts;
  const openFolder = (replay: Replay["read"]) =>
    openLog(folder, {
      ...options,
      random: machine.random,
      replay,
      checkpoint: () => console.checkpoint(),
      checkpointBytes: () => checkpointBytes(console.state),
    });
  const reopenFolder = async (wasRemoved: boolean) => {
    // A folder that somebody removed is not made anew behind their back.
    if (wasRemoved) await files.list(folder);
    if (wasRemoved && own !== undefined) await keepSiteKey(texts, own.key);
    return await openFolder(() => {
      throw new HoldsRecords();
    });
  };
  const first = await options.opened(openFolder(replay.read));
  const log = reopenedLog(folder, first, reopenFolder);
  const replayed = replay.end();
  let own: OwnSiteKey | undefined;
  try {
    if (replayed.configuration.siteKey === OWN_SITE_KEY) own = await options.ownSiteKey(log);
  } catch (fault) {
    await log.close();
    throw fault;
  }
  const state = { ...replayed, ownSiteKey: own?.key };
  const console = createConsole({ ...machine, ...options, state, store: log });
  // The staged records of the restore may take most of the medium, and are dead. If the compaction
  // fails, it is tried again.
  console.watch((event) => {
    if (event.type === "restoregivenup") log.compact().catch(() => {});
  });
  return { console, log, keepSiteKey: own?.keep, close: log.close };
}

/** Stores the hours of operation and everything acknowledged, and closes the console. */
export async function closeConsole(open: OpenConsole, alarm: StorageAlarm): Promise<void> {
  open.console.dispatch(refreshGeneral(), DEVICE);
  await open.console.dispatch(keepHours, DEVICE);
  await alarm.stop();
  await open.close();
}
