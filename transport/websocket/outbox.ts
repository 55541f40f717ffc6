/**
 * What is sent to one WebSocket client. A client that reads slowly is sent each answer, but the
 * updates of each path are merged while it lags: it gets the last value of every leaf, not every
 * value in between. One that does not read at all is closed (decisions.md, "Control tree").
 *
 * @module
 */
import { UNREAD_BYTES, UPDATE_BACKLOG_BYTES } from "../../core/limits.ts";
import { after, type Timer } from "../../core/ports.ts";
import { combine, type Patch } from "../../core/tree/tree.ts";
import type { Share } from "../share.ts";

/** The sending side of a WebSocket. */
export interface Socket {
  send(text: string): void;
  /**
   * Closes the connection; `fault` is what failed where that was our own fault, and is reported. A
   * client that does not answer to that is dropped soon after.
   */
  close(code: number, reason: string, fault?: unknown): void;
  /** Bytes handed to `send` that the network has not taken yet. */
  readonly bufferedAmount: number;
}

const RETRY_MS = 20;

/** A change as all who are subscribed to one path are told of it. */
export interface Update {
  /** The path, as text. */
  readonly path: string;
  readonly patch: Patch;
  /** Of a step of fades, its number on the grid of 20 ms. */
  readonly tick?: number | undefined;
  /** The message that holds `patch`. */
  readonly text: string;
}

/** What is kept for a path. */
interface Kept extends Pick<Update, "patch" | "tick"> {
  /** In characters: at most, until it is weighed. */
  length: number;
}

/** The outbox of one connection. */
export interface Outbox {
  /** Sends an answer or an event. */
  send(text: string): void;
  /** Sends a change, or keeps it while the client lags. */
  update(update: Update): void;
  /** Whatever it keeps for a path is not sent any more. */
  forget(path: string): void;
  /** Keeps updates, though not answers and events, until the answer is called. */
  hold(): () => void;
  /** Nothing is sent any more. */
  close(): void;
}

/** Makes what tells the subscribers of a path of a change. */
export function updateOf(path: string, patch: Patch, tick?: number): Update {
  return { path, patch, tick, text: JSON.stringify({ method: "update", tick, payload: patch }) };
}

/**
 * Makes an outbox for a socket. `giveUp` is called once, when more than 1 MiB has not been read, or
 * when all clients together read too little and this one least; nothing is sent from then on.
 * Whatever its size, one message is no reason for the first: the largest of those that may still be
 * on their way does not count.
 */
export function createOutbox(
  socket: Socket,
  giveUp: () => void,
  timer: Timer,
  share: Share,
): Outbox {
  /** What is kept, by the path that it is for; the one that waits longest is first. */
  const pending = new Map<string, Kept>();
  let cancelRetry: (() => void) | undefined;
  let holds = 0;
  let open = true;
  /** Characters of the largest message since everything had been read. */
  let largest = 0;
  /** Characters of all that is kept: at most, until it is weighed at `weighAt`. */
  let kept = 0;
  let weighAt = UNREAD_BYTES;
  const held = share({ held: () => socket.bufferedAmount + kept, giveUp: stop });

  function send(text: string): void {
    if (!open || isStuck()) return;
    largest = Math.max(largest, text.length);
    socket.send(text);
    held.grew(text.length);
  }

  /** Says whether too much was unread already; what is about to be sent is not to blame. */
  function isStuck(): boolean {
    const unread = socket.bufferedAmount;
    if (unread === 0) largest = 0;
    if (unread - largest <= UNREAD_BYTES) return false;
    stop();
    return true;
  }

  function stop(): void {
    close();
    giveUp();
  }

  // A step that comes late is the only one that still counts; what else changed came at no tick.
  function keep({ path, patch, tick, text }: Update): void {
    const before = pending.get(path);
    pending.set(path, {
      patch: before === undefined ? patch : combine(before.patch, patch),
      tick: before === undefined || before.tick !== undefined ? tick : undefined,
      length: (before?.length ?? 0) + text.length,
    });
    kept += text.length;
    held.grew(text.length);
    if (kept > weighAt) weigh();
  }

  /** Finds out how much is kept: of updates of one leaf only the last is. */
  function weigh(): void {
    kept = 0;
    for (const update of pending.values()) {
      update.length = JSON.stringify(update.patch).length;
      kept += update.length;
    }
    weighAt = Math.max(UNREAD_BYTES, 2 * kept);
  }

  function retry(): void {
    cancelRetry = undefined;
    if (!open || pending.size === 0 || holds > 0 || isStuck()) return;
    if (lags()) cancelRetry = after(timer, RETRY_MS, retry);
    else sendPending();
  }

  function lags(): boolean {
    return socket.bufferedAmount > UPDATE_BACKLOG_BYTES;
  }

  /**
   * Sends at least one pending patch, and no more than the client keeps up with: together they may
   * be very large.
   */
  function sendPending(): void {
    for (const [path, { patch, tick }] of pending) {
      forget(path);
      send(updateOf(path, patch, tick).text);
      if (lags()) break;
    }
    if (pending.size > 0) cancelRetry ??= after(timer, RETRY_MS, retry);
  }

  function forget(path: string): void {
    kept -= pending.get(path)?.length ?? 0;
    pending.delete(path);
  }

  function close(): void {
    open = false;
    held.leave();
    pending.clear();
    cancelRetry?.();
  }

  return {
    send,
    update(update) {
      if (!open) return;
      if (pending.size === 0 && holds === 0 && !lags()) return send(update.text);
      keep(update);
      if (open && holds === 0) cancelRetry ??= after(timer, RETRY_MS, retry);
    },
    forget,
    hold() {
      holds++;
      return () => {
        holds--;
        // Not kept longer for a client that lags: it may ask for the next at once, and would never
        // hear.
        if (holds === 0) sendPending();
      };
    },
    close,
  };
}
