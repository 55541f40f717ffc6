/**
 * The alarm of a console whose medium fails: `general/_storage` in the control tree, and lines for
 * people. It ends by itself, once the medium takes writes and the whole state is stored.
 *
 * @module
 */
import type { Console } from "../core/console.ts";
import { keepLevels } from "../core/fades/keeplevels.ts";
import { STORAGE_RETRY_MS } from "../core/limits.ts";
import { after, type Timer } from "../core/ports.ts";
import { type StorageState, tellStorage } from "../core/storage-alarm.ts";
import { DEVICE } from "../core/users/user.ts";
import type { Log } from "../storage/contract.ts";

/** Watches over the log of a console. */
export interface StorageAlarm {
  /** Checks the condition of the log: to be called whenever that may have changed. */
  look(): void;
  /** Tries a last time to store the changes that are not on the medium, and stops. */
  stop(): Promise<void>;
  /** Says if changes in force are not on the medium, and so are lost. */
  sayLost(): void;
}

/** The subject of an alarm. */
export interface Watched {
  readonly console: Console;
  readonly log: Pick<Log, "condition" | "retry">;
  /** The data folder, as its lines name it. */
  readonly data: string;
  readonly timer: Timer;
  /**
   * Stores the files beside the log that the start could not write: the alarm does not end before
   * this has resolved. Undefined if there are none.
   */
  readonly keep?: (() => Promise<void>) | undefined;
  /** Called whenever an alarm has ended. */
  readonly ended?: () => void;
  /** Takes a line for people. */
  readonly say: (line: string) => void;
}

/**
 * Makes the alarm of a console, which has checked the log once. It is raised at once and ends only
 * after a retry of the log. A single failure is over soon. A medium that fails now and then makes
 * few lines, because the wait before a retry doubles, and is reset only after a time without an
 * alarm that exceeds its maximum.
 */
export function createStorageAlarm(watched: Watched): StorageAlarm {
  const { console, log, data, timer, ended, say } = watched;
  let keep = watched.keep;
  let wait: number = STORAGE_RETRY_MS.first;
  /** When the last alarm ended, in monotonic ms. */
  let wellSince = -Infinity;
  let shown: StorageState = "ok";
  let saidCompaction: string | undefined;
  let stopWait: (() => void) | undefined;
  let stopped = false;

  /** Returns the condition of the whole state; `log.condition` is that of the last record alone. */
  function stateNow(): StorageState {
    const { state, slow } = log.condition;
    if (state !== "ok") return state;
    if (!console.unstored && keep === undefined) return slow ? "slow" : "ok";
    return shown === "ok" || shown === "slow" ? "readonly" : shown;
  }

  function show(state: StorageState): void {
    if (state === shown) return;
    if (shown === "ok" && timer.monotonic() - wellSince > STORAGE_RETRY_MS.most) {
      wait = STORAGE_RETRY_MS.first;
    }
    const before = shown;
    shown = state;
    console.dispatch(tellStorage(state), DEVICE);
    say(state === "ok" ? endOf(before, data) : sentenceOf(state, watched));
    if (state !== "ok") return;
    wellSince = timer.monotonic();
    ended?.();
  }

  function sayCompaction(): void {
    const { compaction } = log.condition;
    if (compaction !== undefined && saidCompaction === undefined) {
      say(`${data} could not be compacted; this is tried again: ${compaction}`);
    }
    saidCompaction = compaction;
  }

  function look(): void {
    sayCompaction();
    const state = stateNow();
    // A slow medium still stores: nothing has to be retried until it is fast again.
    if (state !== "ok" || shown === "slow") show(state);
    if (stopped || shown === "ok" || shown === "damaged") return;
    if (stopWait !== undefined) return;
    stopWait = after(timer, wait, retry);
    wait = Math.min(2 * wait, STORAGE_RETRY_MS.most);
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
    const isWell = log.condition.state === "ok";
    if (stale) console.checkpointEnded(isWell);
    if (!isWell) return;
    await console.dispatch(keepLevels(), DEVICE);
    if (keep === undefined) return;
    try {
      await keep();
      keep = undefined;
    } catch {
      // The alarm goes on, and so do the retries.
    }
  }

  look();
  return {
    look,
    async stop() {
      stopped = true;
      stopWait?.();
      if (console.unstored || keep !== undefined) await tryAgain();
    },
    sayLost() {
      // With `storage.onFault` "refuse", a level at which a fade ended may not be on the medium.
      const { unsynced } = console.state;
      if (console.unstored || (shown !== "ok" && unsynced.size > 0)) {
        say(`changes made while ${data} failed were not stored, and are lost`);
      }
    },
  };
}

/** Returns the sentence for people at the end of an alarm. */
function endOf(state: StorageState, data: string): string {
  // A slow medium took writes all the time.
  const again = state === "slow"
    ? "stores changes quickly again"
    : "takes writes again, and the state in force is stored";
  return `STORAGE ALARM OVER: ${data} ${again}`;
}

/** Returns the sentence for people with the state of the medium and the remedy. */
function sentenceOf(
  state: Exclude<StorageState, "ok">,
  { console, log, data }: Watched,
): string {
  if (state === "slow") {
    return "STORAGE ALARM (slow): the medium takes 2 s or more to store a change. Changes are " +
      `answered late, and nothing is lost. Check the medium of ${data}; the alarm ends by itself.`;
  }
  const { why = "the state in force is not stored", remedy = remedies[state](data) } =
    log.condition;
  const plays = console.state.configuration.storage.onFault === "play";
  return `STORAGE ALARM (${state}): ${why}. ${meanwhile(state, plays)} ${remedy}`;
}

function meanwhile(state: StorageState, plays: boolean): string {
  // A full medium may have space for small changes.
  const fits = state === "full";
  if (!plays) return `Every change${fits ? " that does not fit" : ""} is refused.`;
  return "The console keeps running, but a restart may lose changes made now; users, snapshots, " +
    `pictures and restores${fits ? " that do not fit" : ""} are refused.`;
}

const remedies = {
  full: (data: string) => `Make room for ${data}; the alarm ends by itself.`,
  readonly: (data: string) => `Repair the medium of ${data}; the alarm ends by itself.`,
  damaged: (data: string) =>
    `Stop the service, copy ${data} and repair it (faderd log verify, log repair), start again.`,
};
