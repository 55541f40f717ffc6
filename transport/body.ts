/**
 * Reads the body of a request without trusting it: not its length, not that it ends, not that
 * anything comes at all. A body over its limit is cut off (413) and does not fill the memory.
 *
 * @module
 */
import { createPatience, readSmallBody, saysSmall } from "./small-body.ts";

/** What became of a body. */
export type Body =
  /** Whole. A request without a body has no bytes. */
  | { readonly outcome: "read"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Over the limit, or said to be: status 413. */
  | { readonly outcome: "tooLarge" }
  /** Nothing came for {@linkcode SILENCE_MS}: status 408. */
  | { readonly outcome: "silent" }
  /** The connection failed before its end: nobody is there to answer. */
  | { readonly outcome: "broken" };

/** The longest wait for a next byte of a body, in ms (10 s). */
export const SILENCE_MS = 10_000;

/**
 * How long what is too large is left standing before it is cancelled, in ms. Deno goes on taking a
 * body that is cancelled before its answer is sent, without end where it has none; one that is
 * cancelled after an answer with `Connection: close` ends with the connection.
 */
export const LINGER_MS = 200;

/** Calls `wake` once, in `ms`; the answer cancels it. */
export type WakeAfter = (ms: number, wake: () => void) => () => void;

/** By the timers of this machine. */
export const wakeByTimeout: WakeAfter = (ms, wake) => {
  const timeout = setTimeout(wake, ms);
  return () => clearTimeout(timeout);
};

const patience = createPatience(SILENCE_MS, wakeByTimeout);

/**
 * The body of `request`, if it has at most `maxBytes`. A larger `Content-Length` is refused before
 * anything is read. Whatever is not read is cancelled. Held at a time are at most `maxBytes` and one
 * chunk, and, where no `Content-Length` says how much comes, half as much again for the moment in
 * which the buffer grows.
 *
 * `wakeAfter` measures the silence; tests simulate it.
 *
 * @example
 * ```ts
 * const body = await readBody(request, 64 * 1024);
 * if (body.outcome === "tooLarge") return new Response(null, { status: 413 });
 * ```
 */
export async function readBody(
  request: Request,
  maxBytes: number,
  wakeAfter: WakeAfter = wakeByTimeout,
): Promise<Body> {
  if (saysSmall(request, maxBytes)) {
    const body = await readSmallBody(request, patience);
    return body.outcome === "read" && body.bytes.length > maxBytes ? { outcome: "tooLarge" } : body;
  }
  if (request.body === null) return { outcome: "read", bytes: new Uint8Array() };
  if (Number(request.headers.get("content-length")) > maxBytes) {
    const { body } = request;
    wakeAfter(LINGER_MS, () => giveUp(body.cancel()));
    return { outcome: "tooLarge" };
  }

  const reader = request.body.getReader();
  let silent = false;
  const waitForByte = () =>
    wakeAfter(SILENCE_MS, () => {
      silent = true;
      giveUp(reader.cancel()); // ends the read that waits
    });
  // Zeros that nobody has written to yet take no memory, so a length that lies costs none.
  let buffer = new Uint8Array(Number(request.headers.get("content-length")) || 0);
  let length = 0;
  let stopWaiting = waitForByte();
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (silent) return { outcome: "silent" };
      if (done) return { outcome: "read", bytes: buffer.subarray(0, length) };
      if (value.length === 0) continue;
      stopWaiting();
      if (length + value.length > maxBytes) {
        wakeAfter(LINGER_MS, () => giveUp(reader.cancel()));
        return { outcome: "tooLarge" };
      }
      buffer = withRoom(buffer, length + value.length, maxBytes);
      buffer.set(value, length);
      length += value.length;
      stopWaiting = waitForByte();
    }
  } catch {
    return { outcome: "broken" };
  } finally {
    stopWaiting();
  }
}

/** `buffer`, or a larger copy of it: it grows by doubling, so that small chunks cost little. */
function withRoom(
  buffer: Uint8Array<ArrayBuffer>,
  needed: number,
  maxBytes: number,
): Uint8Array<ArrayBuffer> {
  if (needed <= buffer.length) return buffer;
  const larger = new Uint8Array(Math.max(needed, Math.min(2 * buffer.length, maxBytes)));
  larger.set(buffer);
  return larger;
}

/** Lets a body go. That this may fail, or never end, is the sender's affair. */
function giveUp(cancelled: Promise<void>): void {
  cancelled.catch(() => {});
}
