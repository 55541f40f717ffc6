/**
 * Notices a medium that is slow, even while it has not answered yet.
 *
 * @module
 */
import type { Timer } from "../core/ports.ts";
import { type FileSystem, type OpenFile, wrapFiles } from "./file-system.ts";

/** A sync is slow from this duration on, in ms. */
const SLOW_SYNC_MS = 2000;

/**
 * Watches the syncs of `files`, and tells whether the medium is slow whenever that may have
 * changed. There is one timer for all syncs, which no sync stops: it ends by itself, at most 2 s
 * after the last one.
 */
export function watchSyncs(
  files: FileSystem,
  timer: Timer,
  tell: (isSlow: boolean) => void,
): { readonly files: FileSystem; stop(): void } {
  /** The time at which each sync that is under way began, the oldest first. */
  const underWay = new Set<{ readonly began: number }>();
  let stopTimer: (() => void) | undefined;

  function isLate(): boolean {
    const [oldest] = underWay;
    return oldest !== undefined && timer.monotonic() - oldest.began >= SLOW_SYNC_MS;
  }

  function look(): void {
    stopTimer = undefined;
    if (isLate()) return tell(true);
    const [oldest] = underWay;
    if (oldest !== undefined) stopTimer = timer.at(oldest.began + SLOW_SYNC_MS, look);
  }

  function watched(file: OpenFile): OpenFile {
    return {
      ...file,
      async sync() {
        const one = { began: timer.monotonic() };
        underWay.add(one);
        stopTimer ??= timer.at(one.began + SLOW_SYNC_MS, look);
        try {
          await file.sync();
        } finally {
          underWay.delete(one);
          tell(isLate() || timer.monotonic() - one.began >= SLOW_SYNC_MS);
        }
      },
    };
  }

  return {
    files: wrapFiles(files, watched),
    stop() {
      stopTimer?.();
    },
  };
}
