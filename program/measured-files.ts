/**
 * How long the medium takes to sync, for metrics.
 *
 * @module
 */
import type { Timer } from "../core/ports.ts";
import type { FileSystem, OpenFile } from "../storage/file-system.ts";

/** Makes a file system that tells of each sync of a file that is written, in seconds. */
export function measuredFiles(
  files: FileSystem,
  timer: Timer,
  synced: (seconds: number) => void,
): FileSystem {
  function measured(file: OpenFile): OpenFile {
    return {
      ...file,
      async sync() {
        const from = timer.monotonic();
        await file.sync();
        synced((timer.monotonic() - from) / 1000);
      },
    };
  }

  return {
    ...files,
    create: async (path) => measured(await files.create(path)),
    open: async (path) => measured(await files.open(path)),
  };
}
