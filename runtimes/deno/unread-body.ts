/**
 * Bodies that are not read to their end. Deno goes on taking them, also where they never end: those
 * that nobody has begun to read, and those that are cancelled before their answer is sent. It waits
 * with one that somebody has begun to read, and ends the connection of one that is cancelled after
 * its answer (tests/runtimes/deno/unread-body.test.ts, and without this file).
 *
 * @module
 */
import { after, type Timer } from "../../core/ports.ts";

/** Time in ms after the answer at which a body is cancelled: what is unread by then is lost. */
export const LINGER_MS = 200;

/** Bytes up to which Deno may take a body that nobody reads. */
const SHORT_BODY_BYTES = 64 * 1024;

/**
 * Whether the body of a request may be long, or endless. Over HTTP/2, where there is no `Host`,
 * that of any POST may: nothing has to say so.
 */
export function saysLong({ headers, method }: Request): boolean {
  const length = headers.get("content-length");
  if (length !== null) return !(Number(length) <= SHORT_BODY_BYTES);
  return headers.has("transfer-encoding") || (method === "POST" && !headers.has("host"));
}

/**
 * The answer to a request with a long body. Where nobody has begun to read that, the connection
 * ends with the answer; where somebody has stopped reading, the answer has to say so itself.
 *
 * Of a GET or HEAD Deno takes the body without giving it to anyone. What ends the connection of a
 * GET is an answer that fails after its last byte; its server is told {@linkcode UNWANTED_BODY}.
 * Nothing does for a HEAD.
 */
export async function endingUnread(
  request: Request,
  answered: Response | Promise<Response>,
  timer: Timer,
): Promise<Response> {
  const response = await answered;
  // A request that has become a WebSocket is gone.
  if (response.status === 101) return response;
  const { body, bodyUsed, method } = request;
  if (!bodyUsed) response.headers.set("connection", "close");
  if (method === "GET" || method === "HEAD") {
    return response.body === null ? response : failingAfter(response, response.body, timer);
  }
  // A body that was read to its end is still locked.
  if (body !== null && !body.locked) {
    const reader = body.getReader();
    // If this fails, or never ends, that concerns the sender alone.
    after(timer, LINGER_MS, () => void reader.cancel().catch(() => {}));
  }
  return response;
}

/** Not a fault: with this the answer to a GET fails whose body may be endless. */
export const UNWANTED_BODY = new Error("a GET came with a long body; its connection was cut off");

function failingAfter(
  { status, headers }: Response,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  timer: Timer,
): Response {
  headers.delete("content-length"); // with it the answer would be over before it fails
  const fail = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    flush: () =>
      new Promise((_, reject) => void after(timer, LINGER_MS, () => reject(UNWANTED_BODY))),
  });
  return new Response(body.pipeThrough(fail), { status, headers });
}
