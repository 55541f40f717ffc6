/**
 * The send buffer for one client of an interface that is carried over plain TCP.
 *
 * @module
 */
import { TCP_UNREAD_BYTES, UPDATE_BACKLOG_BYTES } from "../core/limits.ts";
import { after, type Timer } from "../core/ports.ts";
import type { ByteSocket } from "./byte-socket.ts";
import type { MemoryQuota } from "./memory-quota.ts";

/** Interval in ms at which a client that lags is checked. */
export const RETRY_MS = 20;

/** The output to a client. */
export interface ByteOutput {
  /** Sends bytes that belong together. */
  send(bytes: Uint8Array): void;
  /** Says whether updates and answers wait, because the client has too many unread bytes. */
  lags(): boolean;
  /** Resolves once the client does not lag, or is gone; undefined where it does not lag now. */
  untilRead(): Promise<void> | undefined;
  /** Ends the output: nothing is sent from now on. */
  close(): void;
}

/**
 * Makes the output to a client. `giveUp` is called once, when more than `TCP_UNREAD_BYTES` would be
 * unread, or when the quota evicts it. A `send` to a client that has read everything does not
 * exceed the limit, whatever its size.
 */
export function createByteOutput(
  socket: ByteSocket,
  address: string,
  giveUp: () => void,
  timer: Timer,
  quota: MemoryQuota,
): ByteOutput {
  let open = true;
  const admission = quota({ address, held: () => socket.bufferedAmount, evict: stop });
  const lags = () => open && socket.bufferedAmount > UPDATE_BACKLOG_BYTES;

  function stop(): void {
    if (!open) return;
    close();
    giveUp();
  }

  function close(): void {
    open = false;
    admission.leave();
  }

  return {
    send(bytes) {
      if (!open) return;
      const unread = socket.bufferedAmount;
      if (unread > 0 && unread + bytes.length > TCP_UNREAD_BYTES) return stop();
      socket.send(bytes);
      admission.grew(bytes.length);
    },
    lags,
    untilRead() {
      if (!lags()) return undefined;
      return new Promise((resolve) => {
        const look = () => lags() ? void after(timer, RETRY_MS, look) : resolve();
        look();
      });
    },
    close,
  };
}
