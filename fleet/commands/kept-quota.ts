/**
 * The quota of a hub for kept commands. It counts the commands in the ledger that the hub has heard
 * of, and the commands that are being written. While the servers of the ledger report late, more
 * commands may be stored.
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import { KEPT_BYTES, KEPT_COMMANDS } from "../hub/hub-limits.ts";
import type { ConsoleId } from "../wire.ts";
import type { Command } from "./command.ts";

/** The part of a command by which it is counted. */
export type CountedCommand = Pick<Command, "console" | "by">;

/** The quota for kept commands. */
export interface KeptQuota {
  /** Refuses (11) a command of a number of bytes that would exceed a limit, and names the limit. */
  refusal(command: CountedCommand, bytes: number): Refusal | undefined;
  take(command: CountedCommand, bytes: number): void;
  release(command: CountedCommand, bytes: number): void;
}

/** The waiting commands of one user, or of all. */
interface Waiting {
  readonly count: number;
  readonly bytes: number;
}

const NONE: Waiting = { count: 0, bytes: 0 };

/** Makes the quota, in which nothing counts at first. */
export function createKeptQuota(): KeptQuota {
  const ofConsoles = new Map<ConsoleId, number>();
  const ofUsers = new Map<string, Waiting>();
  /** The number of those of one user for one console. */
  const ofBoth = new Map<string, number>();
  let all = NONE;

  function change({ console, by: { name } }: CountedCommand, by: 1 | -1, bytes: number): void {
    const changed = (waiting: Waiting) => ({
      count: waiting.count + by,
      bytes: waiting.bytes + by * bytes,
    });
    count(ofConsoles, console, by);
    count(ofBoth, `${console} ${name}`, by);
    const ofUser = changed(ofUsers.get(name) ?? NONE);
    if (ofUser.count === 0) ofUsers.delete(name);
    else ofUsers.set(name, ofUser);
    all = changed(all);
  }

  return {
    refusal({ console, by: { name } }, bytes) {
      const ofUser = ofUsers.get(name) ?? NONE;
      const figures = [
        [ofConsoles.get(console) ?? 0, 1, KEPT_COMMANDS.ofConsole, "kept commands for one console"],
        [ofUser.count, 1, KEPT_COMMANDS.ofUser, "kept commands of one user"],
        [
          ofBoth.get(`${console} ${name}`) ?? 0,
          1,
          KEPT_COMMANDS.ofUserForConsole,
          "kept commands of one user for one console",
        ],
        [all.count, 1, KEPT_COMMANDS.all, "kept commands for all consoles"],
        [ofUser.bytes, bytes, KEPT_BYTES.ofUser, "bytes of kept commands of one user"],
        [all.bytes, bytes, KEPT_BYTES.all, "bytes of kept commands"],
      ] as const;
      const full = figures.find(([waiting, more, most]) => waiting + more > most);
      if (full === undefined) return undefined;
      const [waiting, , most, what] = full;
      return refuse("limitReached", `expected at most ${most} ${what}, ${waiting} wait already`);
    },
    take: (command, bytes) => change(command, 1, bytes),
    release: (command, bytes) => change(command, -1, bytes),
  };
}

/** Adds to a count; one of 0 is left out. */
function count(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const counted = (counts.get(key) ?? 0) + by;
  if (counted === 0) counts.delete(key);
  else counts.set(key, counted);
}
