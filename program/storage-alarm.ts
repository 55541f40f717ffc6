/**
 * The alarm of a console whose medium fails: `general/_storage` in the control tree, and lines on
 * standard error. It ends by itself, once the medium takes writes and all that is in force is
 * stored.
 *
 * @module
 */
import type { Console } from "../core/console.ts";
import { STORAGE_RETRY_MS } from "../core/limits.ts";
import { after, type Timer } from "../core/ports.ts";
import { type StorageState, tellStorage } from "../core/storage-alarm.ts";
import { DEVICE } from "../core/users/user.ts";
import type { Log } from "../storage/contract.ts";
import { warn } from "./print.ts";

/** Watches over the log of a console. */
export interface StorageAlarm {
  /** Looks how the log is: to be called whenever that may have changed. */
  look(): void;
  /** Tries once more to store what is in force and not on the medium; nothing is tried any more. */
  stop(): Promise<void>;
  /** Says where something is in force that is not on the medium: it is lost. */
  sayLost(): void;
}

/** What an alarm watches. */
export interface Watched {
  readonly console: Console;
  readonly log: Pick<Log, "condition" | "retry">;
  /** The data folder, as its lines name it. */
  readonly data: string;
  readonly timer: Timer;
  /** Is called whenever an alarm has ended. */
  readonly ended?: () => void;
  /** Takes a line for people; by default standard error does. */
  readonly say?: (line: string) => void;
}

/**
 * Makes the alarm of a console, which has looked once. It is raised at once and ends only when the
 * log was tried again, so that a medium that fails now and then makes few lines.
 */
export function createStorageAlarm(watched: Watched): StorageAlarm {
  const { console, log, data, timer, ended, say = warn } = watched;
  let shown: StorageState = "ok";
  let saidCompaction: string | undefined;
  let stopWait: (() => void) | undefined;
  let stopped = false;

  /** How it is with all that is in force, whatever the log says of the last record. */
  function stateNow(): StorageState {
    const { state } = log.condition;
    if (state !== "ok" || !console.unstored) return state;
    return shown === "ok" ? "readonly" : shown;
  }

  function show(state: StorageState): void {
    if (state === shown) return;
    shown = state;
    console.dispatch(tellStorage(state), DEVICE);
    say(sentenceOf(state, watched));
    if (state === "ok") ended?.();
  }

  function sayCompaction(): void {
    const { compaction } = log.condition;
    if (compaction !== undefined && saidCompaction === undefined) {
      say(`${data} could not be compacted, which is tried again: ${compaction}`);
    }
    saidCompaction = compaction;
  }

  function look(): void {
    sayCompaction();
    const state = stateNow();
    if (state !== "ok") show(state);
    if (stopped || shown === "ok" || shown === "damaged") return;
    stopWait ??= after(timer, STORAGE_RETRY_MS, retry);
  }

  async function retry(): Promise<void> {
    await tryAgain();
    stopWait = undefined;
    show(stateNow());
    look();
  }

  async function tryAgain(): Promise<void> {
    const stale = console.unstored;
    await log.retry({ stale });
    if (stale) console.checkpointEnded(log.condition.state === "ok");
  }

  look();
  return {
    look,
    async stop() {
      stopped = true;
      stopWait?.();
      if (console.unstored) await tryAgain();
    },
    sayLost() {
      if (console.unstored) say(`what was changed while ${data} failed is not stored, and is lost`);
    },
  };
}

/** Says to people how the medium is now, and what is to be done. */
function sentenceOf(state: StorageState, { console, log, data }: Watched): string {
  if (state === "ok") {
    return `STORAGE ALARM OVER: ${data} takes writes again, and what is in force is stored`;
  }
  const { why = "what is in force is not stored" } = log.condition;
  const plays = console.state.configuration.storage.onFault === "play";
  const meanwhile = plays
    ? "The console plays on, but a restart may forget what is changed now; users, snapshots, " +
      "pictures and restores are refused."
    : "Every change is refused.";
  return `STORAGE ALARM (${state}): ${why}. ${meanwhile} ${remedies[state](data)}`;
}

const remedies = {
  full: (data: string) => `Make room for ${data}; the alarm ends by itself.`,
  readonly: (data: string) => `Mend the medium of ${data}; the alarm ends by itself.`,
  damaged: (data: string) =>
    `Stop the service, copy ${data} and mend it (faderd log verify, log repair), start again.`,
};
