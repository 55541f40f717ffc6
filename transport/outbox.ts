/**
 * What is sent to one WebSocket client. A client that reads slowly is sent each answer, but updates
 * are merged while it lags: it gets the last value of every leaf, not every value in between. One
 * that does not read at all is closed (decisions.md, "Control tree").
 *
 * @module
 */
import { UNREAD_BYTES, UPDATE_BACKLOG_BYTES } from "../core/limits.ts";
import { combine, type Patch } from "../core/tree/patch.ts";

/** The sending side of a WebSocket. */
export interface Socket {
  send(text: string): void;
  close(code: number, reason: string): void;
  /** Bytes handed to `send` that the network has not taken yet. */
  readonly bufferedAmount: number;
}

/** WebSocket close code "try again later": the client did not read. */
const TRY_AGAIN_LATER = 1013;
const RETRY_MS = 20;

/** The outbox of one connection. */
export interface Outbox {
  /** Sends an answer or an event. */
  send(text: string): void;
  /** Sends a change, or keeps it while the client lags; `text` is the update that holds `patch`. */
  update(patch: Patch, text: string): void;
  /** Nothing is sent any more. */
  close(): void;
}

/** The message that tells a subscriber of a change. */
export function updateText(patch: Patch): string {
  return JSON.stringify({ method: "update", payload: patch });
}

/** An outbox for a socket; `later` calls back after so many ms, the answer cancels it. */
export function createOutbox(
  socket: Socket,
  later: (run: () => void, ms: number) => () => void = realLater,
): Outbox {
  let pending: Patch | undefined;
  let cancelRetry: (() => void) | undefined;
  let open = true;

  function send(text: string): void {
    if (!open) return;
    socket.send(text);
    if (socket.bufferedAmount > UNREAD_BYTES) giveUp();
  }

  function retry(): void {
    cancelRetry = undefined;
    if (!open || pending === undefined) return;
    const text = updateText(pending);
    const unread = socket.bufferedAmount;
    if (unread <= UPDATE_BACKLOG_BYTES) {
      pending = undefined;
      send(text);
    } else if (unread + text.length > UNREAD_BYTES) {
      giveUp();
    } else {
      cancelRetry = later(retry, RETRY_MS);
    }
  }

  function giveUp(): void {
    close();
    socket.close(TRY_AGAIN_LATER, "too much is waiting to be read");
  }

  function close(): void {
    open = false;
    pending = undefined;
    cancelRetry?.();
  }

  return {
    send,
    update(patch, text) {
      if (pending === undefined && socket.bufferedAmount <= UPDATE_BACKLOG_BYTES) return send(text);
      pending = pending === undefined ? patch : combine(pending, patch);
      cancelRetry ??= later(retry, RETRY_MS);
    },
    close,
  };
}

function realLater(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
