/**
 * The changes that one consumer of Ember+ is told of: the last value of each changed parameter
 * whose directory it has asked for, at most 25 times a second; and the meters that it subscribes
 * to. A consumer that lags is told later, with the values then in force.
 *
 * @module
 */
import {
  EMBER_DIRECTORIES,
  EMBER_STREAM_MS,
  EMBER_UPDATES,
  TCP_UPDATE_MS,
} from "../../core/limits.ts";
import { after, type CooperativeScheduler, type Steps, type Timer } from "../../core/ports.ts";
import { RETRY_MS } from "../byte-output.ts";
import { createPace } from "../pace.ts";
import type { Change } from "./change.ts";
import type { Output } from "./output.ts";
import { streamsMessage } from "./write-glow.ts";

/** Time in ms for which values of streams are collected, as meters come one after the other. */
const COLLECT_MS = 5;

/** The updates of one consumer. */
export interface Updates {
  /**
   * From now on the consumer is told of an element, or of the children of a node. `items` is the
   * number of items of a list.
   */
  listen(key: string, items?: number): void;
  /** Whether it is told of the children of a node. */
  hears(key: string): boolean;
  /**
   * It is not told of an element any more, unless it has asked for the directory of the node above.
   */
  unlisten(key: string): void;
  /** Returns the number of items of a list that it knows. */
  itemsOf(key: string): number;
  /** Tells of a change, if the consumer is to be told of it. */
  tell(change: Change): void;
  /**
   * Drops a waiting change, because the consumer is told of it in another way. Does nothing while an
   * update is being written, which may have an older value.
   */
  forget(key: string): void;
  /** Holds changes while an answer is being written, which may have older values. */
  hold(): void;
  /** Tells of changes again; at once if they have become due meanwhile. */
  goOn(): void;
  /** Tells the value of a stream. */
  meter(id: number, value: number): void;
  /** Drops a waiting value of a stream. */
  forgetMeter(id: number): void;
  close(): void;
}

/** The parts of the consumer that its updates need. */
export interface UpdatesOptions {
  readonly output: Output;
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly address: string;
  /**
   * Writes changes, and calls `listen` of `updates` with the number of items of lists; undefined if
   * there is nothing to write.
   */
  write(changes: readonly Change[], updates: Updates): Steps<Uint8Array | undefined>;
  /** Called when writing has failed: the connection has to be closed. */
  onFault(fault: unknown): void;
}

/** Makes the updates of a consumer, which is told of nothing yet. */
export function createUpdates(
  { output, timer, scheduler, address, write, onFault }: UpdatesOptions,
): Updates {
  /**
   * The paths of the elements that it is told of, each with the number of items if it is a list.
   */
  const heard = new Map<string, number>();
  let hearsAll = false;
  const pending = new Map<string, Change>();
  const meters = new Map<number, number>();
  const pace = createPace(timer, TCP_UPDATE_MS);
  let metersDue = 0;
  let cancelFlush: (() => void) | undefined;
  let cancelMeters: (() => void) | undefined;
  let isWriting = false;
  let isHeld = false;
  /** Whether an update has become due while changes are held. */
  let isDue = false;
  let isOpen = true;

  function schedule(): void {
    if (isOpen) cancelFlush ??= timer.at(pace.next(), flush);
  }

  function flush(): void {
    isDue = isHeld;
    if (isHeld) return;
    if (output.lags()) cancelFlush = after(timer, RETRY_MS, flush);
    else tellTaken().catch(onFault);
  }

  async function tellTaken(): Promise<void> {
    pace.begun();
    isWriting = true;
    const ber = await scheduler.run(write(taken(), updates), address);
    isWriting = false;
    cancelFlush = undefined;
    if (!isOpen) return;
    if (ber !== undefined) output.message(ber);
    if (pending.size > 0) schedule();
  }

  function taken(): readonly Change[] {
    const changes: Change[] = [];
    for (const [key, change] of pending) {
      if (changes.length === EMBER_UPDATES) break;
      pending.delete(key);
      changes.push(change);
    }
    return changes;
  }

  function flushMeters(): void {
    if (output.lags()) {
      cancelMeters = after(timer, RETRY_MS, flushMeters);
      return;
    }
    cancelMeters = undefined;
    if (meters.size === 0) return;
    metersDue = timer.monotonic() + EMBER_STREAM_MS;
    output.message(streamsMessage(meters));
    meters.clear();
  }

  const updates: Updates = {
    listen(key, items = 0) {
      if (!heard.has(key) && heard.size >= EMBER_DIRECTORIES) hearsAll = true;
      else heard.set(key, items);
    },
    hears: (key) => hearsAll || heard.has(key),
    unlisten: (key) => void heard.delete(key),
    itemsOf: (key) => heard.get(key) ?? 0,
    tell(change) {
      const { key, above } = change;
      if (!hearsAll && !heard.has(above) && !heard.has(key)) return;
      pending.set(key, change);
      schedule();
    },
    forget(key) {
      if (!isWriting) pending.delete(key);
    },
    hold() {
      isHeld = true;
    },
    goOn() {
      isHeld = false;
      // Not later: a consumer that asks for one directory after another would never be told.
      if (isDue) flush();
    },
    meter(id, value) {
      meters.set(id, value);
      const at = Math.max(metersDue, timer.monotonic() + COLLECT_MS);
      if (isOpen) cancelMeters ??= timer.at(at, flushMeters);
    },
    forgetMeter: (id) => void meters.delete(id),
    close() {
      isOpen = false;
      cancelFlush?.();
      cancelMeters?.();
      pending.clear();
      meters.clear();
      heard.clear();
    },
  };
  return updates;
}
