/**
 * A console that keeps its data in a folder, in the same log as the program.
 *
 * @module
 */
import type { Configuration } from "../../core/configuration/configuration.ts";
import type { CooperativeScheduler, Timer } from "../../core/ports.ts";
import { beginReplay } from "../../core/replay.ts";
import { recoverySentences } from "../../storage/recovery-sentences.ts";
import type { FolderTexts } from "../folder-texts.ts";
import { closeConsole, type OpenConsole, openConsole } from "../open-console.ts";
import { ownSiteKey } from "../site-key.ts";
import { createStorageAlarm, type StorageAlarm } from "../storage-alarm.ts";
import { nodeFileSystem } from "./file-system.ts";

/** The ports of a console. */
export interface KeptConsolePorts {
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly connections: () => number;
  readonly onFault: (fault: unknown) => void;
}

/**
 * Opens the data folder, which is made if it does not exist. Rejects with a {@link StorageError} if
 * another process has it or another version wrote it, and if it cannot be read or made. A damaged
 * log, and a medium that takes no writes, raise the alarm of the console.
 */
export async function openKeptConsole(
  configuration: Configuration,
  texts: FolderTexts,
  { timer, scheduler, connections, onFault }: KeptConsolePorts,
): Promise<OpenConsole> {
  const { folder, say } = texts;
  let alarm: StorageAlarm | undefined = undefined;
  const look = () => alarm?.look();
  const open = await openConsole(beginReplay(configuration), {
    texts,
    files: nodeFileSystem,
    scheduler,
    timer,
    connections,
    onCondition: look,
    onStoreFault: look,
    onWatcherFault: onFault,
    async opened(opening) {
      const log = await opening;
      recoverySentences(folder, log.recovery).forEach(say);
      return log;
    },
    ownSiteKey: () =>
      ownSiteKey(texts, (_file, _what, fault) => {
        throw fault;
      }),
  });
  const { console, log } = open;
  const watching: StorageAlarm = createStorageAlarm({ console, log, data: folder, timer, say });
  alarm = watching;
  return {
    ...open,
    async close() {
      await closeConsole(open, watching);
      watching.sayLost();
    },
  };
}
