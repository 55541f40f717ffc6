/**
 * Bodies that are not read to their end. Deno goes on receiving a body that nobody has begun to
 * read, and a body that is cancelled before its answer is sent, even if it never ends. It stops
 * receiving a body that somebody has begun to read but does not read on, and ends the connection of
 * a body that is cancelled after its answer (tests/runtimes/deno/unread-body.test.ts, run without
 * this file).
 *
 * @module
 */
import { UNREAD_BODY_MS } from "../../core/limits.ts";
import { after, type Timer } from "../../core/ports.ts";

/** Maximum size in bytes of a body that Deno may receive although nobody reads it. */
const SHORT_BODY_BYTES = 64 * 1024;

/**
 * Whether the body of a request may be long, or endless. Over HTTP/2, where there is no `Host`, the
 * body of any POST may be long or endless: no header has to say so.
 */
export function saysLong({ headers, method }: Request): boolean {
  const length = headers.get("content-length");
  if (length !== null) return !(Number(length) <= SHORT_BODY_BYTES);
  return headers.has("transfer-encoding") || (method === "POST" && !headers.has("host"));
}

/**
 * The answer to a request with a long body. If nobody has begun to read the body, the connection
 * ends with the answer; if somebody has stopped reading, the answer has to say so itself.
 *
 * Deno receives the body of a GET or HEAD without giving it to anyone. An answer that fails after
 * its last byte ends the connection of a GET; the server gets the error {@linkcode UNWANTED_BODY}.
 * Nothing ends that of a HEAD.
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
    after(timer, UNREAD_BODY_MS, () => void reader.cancel().catch(() => {}));
  }
  return response;
}

/** The error of the answer to a GET whose body may be endless; it is not a fault of the service. */
export const UNWANTED_BODY = new Error("a GET came with a long body; its connection was cut off");

function failingAfter(
  { status, headers }: Response,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  timer: Timer,
): Response {
  headers.delete("content-length"); // with it the answer would be over before it fails
  const fail = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    flush: () =>
      new Promise((_, reject) => void after(timer, UNREAD_BODY_MS, () => reject(UNWANTED_BODY))),
  });
  return new Response(body.pipeThrough(fail), { status, headers });
}
