/**
 * A console that keeps its data in a folder, in the same log as the program.
 *
 * @module
 */
import { checkpointBytes } from "../../core/checkpoint-bytes.ts";
import type { Configuration } from "../../core/configuration/configuration.ts";
import { type Console, createConsole } from "../../core/console.ts";
import { keepHours, refreshGeneral } from "../../core/general.ts";
import type { CooperativeScheduler, Timer } from "../../core/ports.ts";
import { beginReplay } from "../../core/replay.ts";
import { OWN_SITE_KEY } from "../../core/site-key.ts";
import { DEVICE } from "../../core/users/user.ts";
import type { LogOptions } from "../../storage/contract.ts";
import { recoverySentences } from "../../storage/recovery-sentences.ts";
import { HoldsRecords, reopenedLog } from "../../storage/reopened-log.ts";
import { machine } from "../clock.ts";
import { createStorageAlarm, type StorageAlarm } from "../storage-alarm.ts";
import { nodeFileSystem } from "./file-system.ts";
import { openLog } from "./log.ts";
import { keepSiteKey, ownSiteKey } from "./site-key.ts";

/** A console, and the function that ends it. */
export interface KeptConsole {
  readonly console: Console;
  /** Stores all changes that are not stored yet, and releases the folder. */
  close(): Promise<void>;
}

/** The ports of a console. */
export interface KeptConsolePorts {
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly connections: () => number;
  readonly onFault: (fault: unknown) => void;
  /** Takes lines for people about the data. */
  readonly say: (line: string) => void;
}

/**
 * Opens the data folder, which is made if it does not exist. Rejects with a {@link StorageError} if
 * another process has it or another version wrote it, and if it cannot be read or made. A damaged
 * log, and a medium that takes no writes, raise the alarm of the console.
 */
export async function openKeptConsole(
  configuration: Configuration,
  folder: string,
  { timer, scheduler, connections, onFault, say }: KeptConsolePorts,
): Promise<KeptConsole> {
  let alarm: StorageAlarm | undefined = undefined;
  let siteKey: string | undefined = undefined;
  const look = () => alarm?.look();
  const open = (replay: NonNullable<LogOptions["replay"]>) =>
    openLog(folder, {
      replay,
      checkpoint: () => console.checkpoint(),
      checkpointBytes: () => checkpointBytes(console.state),
      onCondition: look,
      scheduler,
      timer,
    });
  const openAgain = async (wasRemoved: boolean) => {
    // A folder that somebody removed is not made again unasked.
    if (wasRemoved) await nodeFileSystem.list(folder);
    if (wasRemoved && siteKey !== undefined) await keepSiteKey(folder, siteKey, say);
    return await open(() => {
      throw new HoldsRecords();
    });
  };
  const replay = beginReplay(configuration);
  const first = await open((record) => replay.read(record));
  recoverySentences(folder, first.recovery).forEach(say);
  const replayed = replay.end();
  try {
    if (replayed.configuration.siteKey === OWN_SITE_KEY) siteKey = await ownSiteKey(folder, say);
  } catch (fault) {
    await first.close();
    throw fault;
  }
  const log = reopenedLog(folder, first, openAgain);
  const console = createConsole({
    ...machine,
    state: { ...replayed, ownSiteKey: siteKey },
    store: log,
    connections,
    onWatcherFault: onFault,
    onStoreFault: look,
  });
  // The snapshots staged for the restore may fill most of the medium, and are useless. If
  // compaction fails, it is tried again.
  console.watch((event) => {
    if (event.type === "restoregivenup") log.compact().catch(() => {});
  });
  const watching: StorageAlarm = createStorageAlarm({ console, log, data: folder, timer, say });
  alarm = watching;
  return {
    console,
    async close() {
      console.dispatch(refreshGeneral(), DEVICE);
      await console.dispatch(keepHours, DEVICE);
      await watching.stop();
      await log.close();
      watching.sayLost();
    },
  };
}
