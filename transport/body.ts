/**
 * Reads the body of a request without trusting it: not its length, not that it ends, not that
 * anything comes at all. A body over its limit is cut off (413), one that takes too long as well
 * (408), and neither fills the memory.
 *
 * @module
 */
import { PIECE_BYTES } from "../core/limits.ts";
import { createSharedTimeout, isSmall, readSmallBody, saysSmall } from "./small-body.ts";
import { copyInPieces, inTurns, turn } from "./turns.ts";

/** What became of a body. */
export type Body =
  /** Whole. A request without a body has no bytes. */
  | { readonly outcome: "read"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Over the limit, or said to be: status 413. */
  | { readonly outcome: "tooLarge" }
  /** Nothing came for {@linkcode SILENCE_MS}, or not all in time: status 408. */
  | { readonly outcome: "late" }
  /** The connection failed before its end: nobody is there to answer. */
  | { readonly outcome: "broken" };

/**
 * The longest wait for a next byte of a body, in ms (10 s). One that says it is small (at most
 * 64 KiB) has once to twice as long for the whole of it.
 */
export const SILENCE_MS = 10_000;

/** The longest that a whole body may take, in ms (60 s), however steadily it comes. */
export const WHOLE_BODY_MS = 60_000;

/**
 * How long what is not read is left standing before it is cancelled, in ms. Deno goes on taking a
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

const smallBodyTimeout = createSharedTimeout(SILENCE_MS, wakeByTimeout);

/**
 * The body of `request`, if it has at most `maxBytes`. A larger `Content-Length` is refused before
 * anything is read. Whatever is not read is let go of; its answer must say `Connection: close`. Held
 * at a time are at most `maxBytes` and one chunk.
 *
 * `wakeAfter` measures the time of bodies that are not small; tests simulate it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * const post = () => new Request("http://console.test", { method: "POST", body: "12345" });
 * assertEquals((await readBody(post(), 5)).outcome, "read");
 * assertEquals((await readBody(post(), 4)).outcome, "tooLarge");
 * ```
 */
export async function readBody(
  request: Request,
  maxBytes: number,
  wakeAfter: WakeAfter = wakeByTimeout,
): Promise<Body> {
  if (saysSmall(request, maxBytes)) {
    const body = await readSmallBody(request, smallBodyTimeout);
    return body.outcome === "read" && body.bytes.length > maxBytes ? { outcome: "tooLarge" } : body;
  }
  if (Number(request.headers.get("content-length")) > maxBytes) {
    letGoOfBody(request, wakeAfter);
    return { outcome: "tooLarge" };
  }
  if (request.body === null) return { outcome: "read", bytes: new Uint8Array() };
  return await readStream(
    request.body.getReader(),
    saidBytes(request),
    maxBytes,
    wakeAfter,
  );
}

/** How long a body says it is; 0 where it does not, or says what is no length. */
function saidBytes({ headers }: Request): number {
  const length = Number(headers.get("content-length"));
  return Number.isInteger(length) && length > 0 ? length : 0;
}

/** Whether the body that a request says to have may be long, or endless. */
export function saysLong({ headers }: Request): boolean {
  const length = headers.get("content-length");
  return length === null ? headers.has("transfer-encoding") : !isSmall(length);
}

/**
 * `response` as the answer to a request with a long body: where nobody has begun to read that, the
 * connection ends with the answer. Left alone, Deno would take the whole body, also where it never ends.
 *
 * Of a GET or HEAD Deno takes the body without giving it to anyone. What ends the connection of a GET
 * is an answer that fails after its last byte; its server is told {@linkcode UNWANTED_BODY}. Nothing
 * does for a HEAD.
 */
export function endingUnread(request: Request, response: Response): Response {
  // A request that has become a WebSocket is gone.
  if (response.status === 101 || request.bodyUsed) return response;
  response.headers.set("connection", "close");
  if (request.method !== "GET" && request.method !== "HEAD") letGoOfBody(request, wakeByTimeout);
  else if (response.body !== null) return failingAfter(response, response.body);
  return response;
}

/** Not a fault: with this the answer to a GET fails whose body may be endless. */
export const UNWANTED_BODY = new Error("a GET came with a long body; its connection was cut off");

function failingAfter({ status, headers }: Response, body: Bytes): Response {
  headers.delete("content-length"); // with it the answer would be over before it fails
  const fail = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    flush: () => new Promise((_, reject) => wakeByTimeout(LINGER_MS, () => reject(UNWANTED_BODY))),
  });
  return new Response(body.pipeThrough(fail), { status, headers });
}

function letGoOfBody({ body }: Request, wakeAfter: WakeAfter): void {
  if (body !== null && !body.locked) cancelLater(body.getReader(), wakeAfter);
}

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;
type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

/** That this may fail, or never end, is the sender's affair. */
function cancelLater(reader: Reader, wakeAfter: WakeAfter): void {
  wakeAfter(LINGER_MS, () => void reader.cancel().catch(() => {}));
}

function readStream(
  reader: Reader,
  saidBytes: number,
  maxBytes: number,
  wakeAfter: WakeAfter,
): Promise<Body> {
  return new Promise((resolve) => {
    let ended = false;
    const end = (body: Body) => {
      if (ended) return;
      ended = true;
      stopSilence();
      stopWhole();
      if (body.outcome === "tooLarge" || body.outcome === "late") cancelLater(reader, wakeAfter);
      resolve(body);
    };
    const late = () => end({ outcome: "late" });
    const waitForByte = () => wakeAfter(SILENCE_MS, () => late());
    let stopSilence = waitForByte();
    const stopWhole = wakeAfter(WHOLE_BODY_MS, late);

    const read = async () => {
      let buffer = new Uint8Array();
      let length = 0;
      let atAStretch = 0;
      while (!ended) {
        const { done, value } = await reader.read();
        if (ended) return;
        if (done) return end({ outcome: "read", bytes: buffer.subarray(0, length) });
        if (value.length === 0) continue;
        if (length + value.length > maxBytes) return end({ outcome: "tooLarge" });
        stopSilence();
        stopSilence = waitForByte();
        if (length + value.length > buffer.length) {
          // Memory that is asked for is not taken before it is written to; still, no more than twice
          // of what has come is asked for before it is a piece.
          const whole = saidBytes || maxBytes;
          const trusted = length >= PIECE_BYTES && whole > buffer.length;
          const room = trusted ? whole : Math.min(2 * buffer.length, maxBytes);
          const come = buffer.subarray(0, length);
          buffer = new Uint8Array(Math.max(length + value.length, room));
          await inTurns(copyInPieces(come, buffer));
        }
        buffer.set(value, length);
        length += value.length;
        // What has come already is given without a turn of the event loop in between. Of a chunked
        // body Deno moves all of that at each read: who falls behind makes it worse.
        atAStretch += value.length;
        if (atAStretch < PIECE_BYTES || saidBytes === 0) continue;
        atAStretch = 0;
        await turn();
      }
    };
    read().catch(() => end({ outcome: "broken" }));
  });
}
