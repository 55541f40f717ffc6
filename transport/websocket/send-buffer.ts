/**
 * The send buffer of one WebSocket client. A client that reads slowly gets every answer, but the
 * updates of each path are merged meanwhile: it gets the last value of every leaf, not every value
 * in between. Meters wait behind all other changes. The connection of a client that does not read
 * at all is closed (decisions.md, "Control tree").
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
  /** Sends a binary frame; absent if nothing needs it: a console sends none. */
  sendBytes?(bytes: Uint8Array<ArrayBuffer>): void;
  /**
   * Closes the connection; `fault` is a fault of the service itself, which is reported. If the
   * client does not answer the close, the connection is dropped soon after.
   */
  close(code: number, reason: string, fault?: unknown): void;
  /** Number of bytes passed to `send` that the network has not accepted yet. */
  readonly bufferedAmount: number;
}

const RETRY_MS = 20;

/** A change for all subscribers of one path. */
export interface Update {
  /** The path, as text. */
  readonly path: string;
  readonly patch: Patch;
  /** For a step of fades: the number of its tick on the grid of 20 ms. */
  readonly tick?: number | undefined;
  /** Whether only meters change. */
  readonly isOfMeters?: boolean;
  /** The text of the message with `patch`. */
  readonly text: string;
}

/** The merged, unsent changes of a path. */
interface Pending extends Pick<Update, "patch" | "tick"> {
  /** Length in characters; an upper bound until it is measured. */
  length: number;
}

/** Pending changes by their path, the oldest first. */
type Queue = Map<string, Pending>;

/** The send buffer of one connection. */
export interface SendBuffer {
  /** Sends an answer or an event. */
  send(text: string): void;
  /** Sends a change, or keeps it pending while the client lags. */
  update(update: Update): void;
  /** Discards the pending changes of a path. */
  forget(path: string): void;
  /** Holds updates, but not answers and events, until the returned function is called. */
  hold(): () => void;
  /** Drops pending updates; nothing is sent from now on. */
  close(): void;
}

/** Makes the update for the subscribers of a path. */
export function updateOf(
  path: string,
  patch: Patch,
  { tick, isOfMeters = false }: Pick<Update, "tick" | "isOfMeters"> = {},
): Update {
  const text = JSON.stringify({ method: "update", tick, payload: patch });
  return { path, patch, tick, isOfMeters, text };
}

/**
 * Makes a send buffer for a socket of an address. `giveUp` is called once, when more than 1 MiB is
 * unread, or when the send buffer is evicted from the quota; nothing is sent from then on. A single
 * message of any size does not exceed the 1 MiB: the largest message that may still be unread is
 * not counted.
 */
export function createSendBuffer(
  socket: Socket,
  address: string,
  giveUp: () => void,
  timer: Timer,
  quota: MemoryQuota,
): SendBuffer {
  const changes: Queue = new Map();
  const meters: Queue = new Map();
  let cancelRetry: (() => void) | undefined;
  let holds = 0;
  let open = true;
  /** Characters of the largest message since the buffer of the socket was last empty. */
  let largest = 0;
  /** Characters of all pending changes; an upper bound until they are measured at `measureAt`. */
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

  /** Says whether too much is unread, not counting the next message. */
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

  // Of delayed steps only the last one counts; a merged change with other values has no tick.
  function wait(queue: Queue, { path, patch, tick, text }: Update): void {
    const before = queue.get(path);
    queue.set(path, {
      patch: before === undefined ? patch : combine(before.patch, patch),
      tick: before === undefined || before.tick !== undefined ? tick : undefined,
      length: (before?.length ?? 0) + text.length,
    });
    waiting += text.length;
    admission.grew(text.length);
    if (waiting > measureAt) measure();
  }

  /** Measures the pending changes, which have only the last value of each leaf. */
  function measure(): void {
    waiting = 0;
    for (const update of [...changes.values(), ...meters.values()]) {
      update.length = JSON.stringify(update.patch).length;
      waiting += update.length;
    }
    measureAt = Math.max(UNREAD_BYTES, 2 * waiting);
  }

  function retry(): void {
    cancelRetry = undefined;
    if (!open || !isPending() || holds > 0 || isStuck()) return;
    if (lags()) cancelRetry = after(timer, RETRY_MS, retry);
    else sendPending();
  }

  function isPending(): boolean {
    return changes.size > 0 || meters.size > 0;
  }

  function lags(): boolean {
    return socket.bufferedAmount > UPDATE_BACKLOG_BYTES;
  }

  /**
   * Sends at least one pending change, and further ones as long as the client keeps up: together
   * they may be very large.
   */
  function sendPending(): void {
    let keepsUp = true;
    for (const queue of [changes, meters]) {
      for (const [path, { patch, tick }] of queue) {
        if (!keepsUp) break;
        drop(queue, path);
        send(updateOf(path, patch, { tick }).text);
        keepsUp = !lags();
      }
    }
    if (isPending()) cancelRetry ??= after(timer, RETRY_MS, retry);
  }

  function drop(queue: Queue, path: string): void {
    waiting -= queue.get(path)?.length ?? 0;
    queue.delete(path);
  }

  function close(): void {
    open = false;
    admission.leave();
    changes.clear();
    meters.clear();
    cancelRetry?.();
  }

  return {
    send,
    update(update) {
      if (!open) return;
      const queue = update.isOfMeters === true ? meters : changes;
      const isNext = changes.size === 0 && queue.size === 0;
      if (isNext && holds === 0 && !lags()) return send(update.text);
      wait(queue, update);
      if (open && holds === 0) cancelRetry ??= after(timer, RETRY_MS, retry);
    },
    forget(path) {
      drop(changes, path);
      drop(meters, path);
    },
    hold() {
      holds++;
      return () => {
        holds--;
        // Updates need not wait longer because the client lags: it may send its next request at
        // once, and would otherwise never get an update.
        if (holds === 0) sendPending();
      };
    },
    close,
  };
}
