/**
 * Bytes from one connection to another.
 *
 * @module
 */
import { after, type Timer } from "../../core/ports.ts";

const BUFFER_BYTES = 64 * 1024;

/**
 * Passes on what comes from `from`: resolves when that has ended, when one of the two has failed,
 * or when `to` has taken nothing for `unreadMs`; `passed` is called whenever some came. To close
 * them is left to the caller; it ends a write that nobody takes.
 */
export function pump(
  from: Deno.TcpConn,
  to: Deno.TcpConn,
  unreadMs: number,
  timer: Timer,
  passed: () => void,
): Promise<void> {
  return new Promise((resolve) => {
    async function write(bytes: Uint8Array): Promise<number> {
      const stopWaiting = after(timer, unreadMs, resolve);
      try {
        return await to.write(bytes);
      } finally {
        stopWaiting();
      }
    }

    async function pass(): Promise<void> {
      const buffer = new Uint8Array(BUFFER_BYTES);
      for (let count = await from.read(buffer); count !== null; count = await from.read(buffer)) {
        passed();
        for (let at = 0; at < count;) at += await write(buffer.subarray(at, count));
      }
    }

    // Either may be cut off at any time.
    pass().then(resolve, () => resolve());
  });
}
