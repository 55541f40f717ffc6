/**
 * The messages that are sent to one WebSocket client. A slow reader is sent each answer, but the
 * updates of each path are merged while it lags: it gets the last value of every leaf, not every
 * value in between. One that does not read at all is closed (decisions.md, "Control tree").
 *
 * @module
 */
import { UNREAD_BYTES, UPDATE_BACKLOG_BYTES } from "../../core/limits.ts";
import { after, type Timer } from "../../core/ports.ts";
import { combine, type Patch } from "../../core/tree/tree.ts";
import type { MemoryQuota } from "../memory-quota.ts";

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

/** A change as it is sent to all subscribers of one path. */
export interface Update {
  /** The path, as text. */
  readonly path: string;
  readonly patch: Patch;
  /** Of a step of fades, its number on the grid of 20 ms. */
  readonly tick?: number | undefined;
  /** The message that holds `patch`. */
  readonly text: string;
}

/** The merged changes of a path that wait to be sent. */
interface Pending extends Pick<Update, "patch" | "tick"> {
  /** In characters: at most, until it is measured. */
  length: number;
}

/** The outbox of one connection. */
export interface Outbox {
  /** Sends an answer or an event. */
  send(text: string): void;
  /** Sends a change, or has it wait while the client lags. */
  update(update: Update): void;
  /** What waits for a path is not sent any more. */
  forget(path: string): void;
  /** Has updates wait, though not answers and events, until the answer is called. */
  hold(): () => void;
  /** Nothing is sent any more. */
  close(): void;
}

/** Makes what tells the subscribers of a path of a change. */
export function updateOf(path: string, patch: Patch, tick?: number): Update {
  return { path, patch, tick, text: JSON.stringify({ method: "update", tick, payload: patch }) };
}

/**
 * Makes an outbox for a socket of an address. `giveUp` is called once, when more than 1 MiB has not
 * been read, or when the outbox is evicted from the quota; nothing is sent from then on. Whatever
 * its size, one message alone does not cause the first: the largest of those that may still be on
 * their way does not count.
 */
export function createOutbox(
  socket: Socket,
  address: string,
  giveUp: () => void,
  timer: Timer,
  quota: MemoryQuota,
): Outbox {
  /** What waits, by the path that it is for; the one that waits longest is first. */
  const pending = new Map<string, Pending>();
  let cancelRetry: (() => void) | undefined;
  let holds = 0;
  let open = true;
  /** Characters of the largest message since everything had been read. */
  let largest = 0;
  /** Characters of all that waits: at most, until it is measured at `measureAt`. */
  let waiting = 0;
  let measureAt = UNREAD_BYTES;
  const held = () => socket.bufferedAmount + waiting;
  const admission = quota({ address, held, evict: stop });

  function send(text: string): void {
    if (!open || isStuck()) return;
    largest = Math.max(largest, text.length);
    socket.send(text);
    admission.grew(text.length);
  }

  /** Says whether too much was unread already, without the message that is about to be sent. */
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
  function wait({ path, patch, tick, text }: Update): void {
    const before = pending.get(path);
    pending.set(path, {
      patch: before === undefined ? patch : combine(before.patch, patch),
      tick: before === undefined || before.tick !== undefined ? tick : undefined,
      length: (before?.length ?? 0) + text.length,
    });
    waiting += text.length;
    admission.grew(text.length);
    if (waiting > measureAt) measure();
  }

  /** Measures what waits: of updates of one leaf only the last does. */
  function measure(): void {
    waiting = 0;
    for (const update of pending.values()) {
      update.length = JSON.stringify(update.patch).length;
      waiting += update.length;
    }
    measureAt = Math.max(UNREAD_BYTES, 2 * waiting);
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
    waiting -= pending.get(path)?.length ?? 0;
    pending.delete(path);
  }

  function close(): void {
    open = false;
    admission.leave();
    pending.clear();
    cancelRetry?.();
  }

  return {
    send,
    update(update) {
      if (!open) return;
      if (pending.size === 0 && holds === 0 && !lags()) return send(update.text);
      wait(update);
      if (open && holds === 0) cancelRetry ??= after(timer, RETRY_MS, retry);
    },
    forget,
    hold() {
      holds++;
      return () => {
        holds--;
        // Updates wait no longer for a client that lags: it may ask for the next at once, and
        // would never hear.
        if (holds === 0) sendPending();
      };
    },
    close,
  };
}
