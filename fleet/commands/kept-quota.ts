/**
 * The quota of a hub for kept commands. It counts the commands in the ledger and the commands that
 * are being written, so that many concurrent commands cannot exceed a limit either.
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import { KEPT_COMMANDS } from "../hub/hub-limits.ts";
import type { ConsoleId } from "../wire.ts";

/** The quota for kept commands. */
export interface KeptQuota {
  /** Refuses (11) a command of a number of bytes that would exceed a limit, and names the limit. */
  refusal(console: ConsoleId, bytes: number): Refusal | undefined;
  take(console: ConsoleId, bytes: number): void;
  release(console: ConsoleId, bytes: number): void;
}

/** Makes the quota, in which nothing counts at first. */
export function createKeptQuota(): KeptQuota {
  const ofConsoles = new Map<ConsoleId, number>();
  let all = 0;
  let allBytes = 0;

  function change(console: ConsoleId, by: 1 | -1, bytes: number): void {
    const ofConsole = (ofConsoles.get(console) ?? 0) + by;
    if (ofConsole === 0) ofConsoles.delete(console);
    else ofConsoles.set(console, ofConsole);
    all += by;
    allBytes += by * bytes;
  }

  return {
    refusal(console, bytes) {
      const figures = [
        [ofConsoles.get(console) ?? 0, 1, KEPT_COMMANDS.ofConsole, "kept commands for one console"],
        [all, 1, KEPT_COMMANDS.all, "kept commands for all consoles"],
        [allBytes, bytes, KEPT_COMMANDS.bytes, "bytes of kept commands"],
      ] as const;
      const full = figures.find(([waiting, more, most]) => waiting + more > most);
      if (full === undefined) return undefined;
      const [waiting, , most, what] = full;
      return refuse("limitReached", `expected at most ${most} ${what}, ${waiting} wait already`);
    },
    take: (console, bytes) => change(console, 1, bytes),
    release: (console, bytes) => change(console, -1, bytes),
  };
}
