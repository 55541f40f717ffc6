/**
 * The receive buffer of a connection: incomplete request heads and incomplete messages over
 * WebSockets. Deno, and `ws` in Node, collect them and report them only when they are complete, so
 * a server that sees the bytes of a connection counts them here.
 *
 * @module
 */
import type { Timer } from "../core/ports.ts";
import type { MemoryQuota } from "./memory-quota.ts";

/** Counts the bytes that the runtime has collected from one connection. */
export interface ReceiveBuffer {
  readonly bytes: number;
  /** Called when further bytes have arrived. */
  grew(bytes: number): void;
  /**
   * Called when the head or message is complete. From now on the connection counts as at least
   * `bytes`.
   */
  whole(bytes: number): void;
  /** Called when the connection is closed. */
  leave(): void;
}

/**
 * Rate in bytes per second below which bytes are not counted, because pings and pongs cannot be
 * distinguished from a message here. A client that only listens may send ten pings a second, which
 * over TLS have 28 bytes each and some more with a payload. A message of 1 MiB takes 44 minutes at
 * this rate.
 */
const PING_BYTES_PER_S = 400;

/**
 * Counts the bytes that the runtime holds for a connection from an address, at least `least`,
 * against a quota. `drop` closes the connection when it is evicted.
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
