/**
 * Bytes from one connection to another.
 *
 * @module
 */
import { UNREAD_MS } from "../../core/limits.ts";
import { after, type Timer } from "../../core/ports.ts";

/**
 * Minimum and maximum size of a buffer in bytes. Each connection holds two buffers even while
 * nothing comes, so they stay small until much comes at once.
 */
const LEAST_BYTES = 2 * 1024;
const MOST_BYTES = 64 * 1024;

/**
 * Passes on the bytes of `from`: resolves when that has ended, when one of the two has failed, or
 * when `to` has taken nothing for 60 s. `passed` is called for each chunk; if it returns a promise,
 * nothing more is read before that resolves. The caller closes both, which ends a pending write.
 */
export function pump(
  from: Deno.TcpConn,
  to: Deno.TcpConn,
  timer: Timer,
  passed: (bytes: number) => Promise<void> | void,
): Promise<void> {
  return new Promise((resolve) => {
    async function write(bytes: Uint8Array): Promise<number> {
      const stopWaiting = after(timer, UNREAD_MS, resolve);
      try {
        return await to.write(bytes);
      } finally {
        stopWaiting();
      }
    }

    async function pass(): Promise<void> {
      let buffer = new Uint8Array(LEAST_BYTES);
      for (let count = await from.read(buffer); count !== null; count = await from.read(buffer)) {
        const goOn = passed(count);
        for (let at = 0; at < count;) at += await write(buffer.subarray(at, count));
        if (goOn !== undefined) await goOn;
        const { length } = buffer;
        if (count === length && length < MOST_BYTES) buffer = new Uint8Array(length * 2);
        else if (count <= LEAST_BYTES && length > LEAST_BYTES) buffer = new Uint8Array(LEAST_BYTES);
      }
    }

    // Either may be cut off at any time.
    pass().then(resolve, () => resolve());
  });
}
