/**
 * The receive buffer of a connection: heads of requests and messages over WebSockets that are not
 * whole yet. Deno, and `ws` in Node, collect them and report nothing before they are whole, so a
 * server that sees the bytes of a connection counts them here.
 *
 * @module
 */
import type { Timer } from "../core/ports.ts";
import type { MemoryQuota } from "./memory-quota.ts";

/** The bytes that the runtime has collected of one connection. */
export interface ReceiveBuffer {
  readonly bytes: number;
  /** More bytes have come. */
  grew(bytes: number): void;
  /** The head or message is whole: the connection holds this many bytes now, and never fewer. */
  whole(bytes: number): void;
  /** The connection is gone. */
  leave(): void;
}

/**
 * Pings and pongs are not part of a message, and cannot be told from one. Bytes that come more slowly
 * than this are not counted, for the client may only listen: ten pings a second, over TLS of 28 bytes
 * each and a few more with a payload. A message that comes as slowly takes 44 minutes for 1 MiB.
 */
const PING_BYTES_PER_S = 400;

/**
 * Counts for a quota the bytes that the runtime holds for a connection from an address: `least` in
 * any case. `drop` ends the connection when it is evicted.
 */
export function countReceiveBuffer(
  quota: MemoryQuota,
  address: string,
  least: number,
  timer: Timer,
  drop: () => void,
): ReceiveBuffer {
  let held = 0;
  let at = timer.monotonic();
  const admission = quota({ address, held: () => held, evict: drop });

  function grew(bytes: number): void {
    held += bytes;
    admission.grew(bytes);
  }

  grew(least);
  return {
    get bytes() {
      return held;
    },
    grew(bytes) {
      const now = timer.monotonic();
      held = Math.max(least, held - PING_BYTES_PER_S * (now - at) / 1000);
      at = now;
      grew(bytes);
    },
    whole(bytes) {
      least = held = bytes;
    },
    leave: admission.leave,
  };
}
