/**
 * The reports of a console to its hub on one connection: a birth, and then the changes since the
 * last frame, at a limited rate. Only the last reported state is kept, so that changes in between
 * merge by themselves.
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import type { ConsoleEvent } from "../../core/events.ts";
import type { Clock, Timer } from "../../core/ports.ts";
import type { State } from "../../core/state.ts";
import type { Digests } from "./digests.ts";
import { changeSince, reportedOf, type ReportedState } from "./reported-state.ts";
import { type Extent, REPLACED, summaryOf, type SummaryOptions } from "./summary.ts";
import { CHANGES, type ConsoleId, FRAME_BYTES, type FromConsole, UNSENT_BYTES } from "../wire.ts";

const SECOND_MS = 1000;

/** Minimum time in ms between two changes, and between a birth and the change after it. */
const CHANGE_MS = SECOND_MS / CHANGES.perSecond;
const BIRTH_MS = SECOND_MS;

/** The identity of one connection of a console. */
export interface Birthright {
  readonly console: ConsoleId;
  readonly boot: string;
  readonly epoch: number;
}

/** The ports and options of reports. */
export interface ReportsOptions {
  readonly summary: SummaryOptions;
  readonly digests: Pick<Digests, "current" | "watch">;
  readonly clock: Pick<Clock, "now">;
  readonly timer: Timer;
  /** Sends a frame. */
  send(text: string): void;
  /** Returns the number of bytes that were sent and that the network has not accepted yet. */
  unsent(): number;
}

/** The reports on one connection. */
export interface Reports {
  /** The sequence number of the last frame that was sent. */
  readonly seq: number;
  /** Sends a birth, as soon as the rate limit allows it. */
  bear(): void;
  /** Ends the reports. */
  stop(): void;
}

/** Starts to report on a connection; the first report is a birth, at once. */
export function createReports(
  console: Console,
  { console: id, boot, epoch }: Birthright,
  { summary, digests, clock, timer, send, unsent }: ReportsOptions,
): Reports {
  /** The last reported state. */
  let told: ReportedState | undefined;
  let seq = 0;
  /**
   * Whether the next report is a birth, and the time from which it may be sent, in monotonic ms.
   */
  let owesBirth = true;
  let freeAt = -Infinity;
  /** When the next report is due, in monotonic ms; undefined while there is nothing to report. */
  let dueAt: number | undefined;
  let cancel = () => {};

  function wakeAt(due: number): void {
    const at = Math.max(due, freeAt);
    if (dueAt !== undefined && dueAt <= at) return;
    cancel();
    dueAt = at;
    cancel = timer.at(at, report);
  }

  function report(): void {
    dueAt = undefined;
    if (unsent() > UNSENT_BYTES) {
      // The hub does not keep up: it gets everything once it does.
      owesBirth = true;
      return wakeAt(timer.monotonic() + CHANGE_MS);
    }
    if (owesBirth) sendBirth();
    else sendChange();
  }

  function sendBirth(): void {
    const { state } = console;
    let extent: Extent = "whole";
    let text = birth(state, extent);
    if (isTooLong(text)) {
      extent = "short";
      text = birth(state, extent);
    }
    owesBirth = false;
    seq = 0;
    told = reportedOf(state, extent, digests.current);
    freeAt = timer.monotonic() + BIRTH_MS;
    send(text);
  }

  function birth(state: State, extent: Extent): string {
    const frame: FromConsole = {
      type: "birth",
      console: id,
      boot,
      epoch,
      seq: 0,
      t: clock.now(),
      summary: summaryOf(state, summary, extent),
      digests: digests.current,
    };
    return JSON.stringify(frame);
  }

  function sendChange(): void {
    const before = told!;
    told = reportedOf(console.state, before.extent, digests.current);
    const change = changeSince(before, told);
    if (change === REPLACED) return sendBirth();
    if (change === undefined) return;
    const frame: FromConsole = { type: "change", seq: ++seq, t: clock.now(), ...change };
    const text = JSON.stringify(frame);
    if (isTooLong(text)) return sendBirth();
    const now = timer.monotonic();
    freeAt = now + Math.max(CHANGE_MS, text.length * SECOND_MS / CHANGES.bytesPerSecond);
    send(text);
  }

  function heard(event: ConsoleEvent): void {
    // Meters and moving faders are no part of a summary, and come many times a second.
    const isRestless = event.type === "treechanged" &&
      (event.ofMeters === true || event.ofFades === true);
    if (!isRestless) wakeAt(timer.monotonic());
  }

  const stopWatching = console.watch(heard);
  const stopDigests = digests.watch(() => wakeAt(timer.monotonic()));
  report();
  return {
    get seq() {
      return seq;
    },
    bear() {
      owesBirth = true;
      // A birth does not wait until the rate limit has room again after a large change.
      freeAt = Math.min(freeAt, timer.monotonic() + BIRTH_MS);
      wakeAt(timer.monotonic());
    },
    stop() {
      stopWatching();
      stopDigests();
      cancel();
    },
  };
}

/**
 * Maximum number of bytes of a change, and of a birth with all faders: half of the maximum that a
 * hub takes, because a hub also limits the number of values in a frame.
 */
const LONGEST_BYTES = FRAME_BYTES / 2;

/** Upper bound of the bytes of a character of UTF-16 in UTF-8. */
const BYTES_PER_CHARACTER = 3;

function isTooLong(text: string): boolean {
  if (text.length * BYTES_PER_CHARACTER <= LONGEST_BYTES) return false;
  return new TextEncoder().encode(text).length > LONGEST_BYTES;
}
