/**
 * Sends an answer by Node's server.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { after, type Timer } from "../../core/ports.ts";

/** How long an answer to a request whose body was not read is held open, in ms, to be read. */
const LINGER_MS = 200;

/**
 * Sends an answer; resolves once it is handed over, or the client is gone. Where the body
 * of the request was not read to its end, the connection ends with the answer: Node would read on,
 * however much comes.
 */
export async function send(
  { status, headers, body }: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  timer: Timer,
): Promise<void> {
  const reader = body?.getReader();
  const gone = new Promise<undefined>((resolve) =>
    outgoing.once("close", () => resolve(undefined))
  );
  gone.then(() => reader?.cancel().catch(() => {}));
  outgoing.statusCode = status;
  for (const [name, value] of headers) outgoing.setHeader(name, value);
  const first = await reader?.read();
  // An answer of one piece says how long it is.
  const second = first?.value === undefined ? first : await reader!.read();
  const isWhole = second === undefined || second.done;
  if (isWhole && status >= 200 && status !== 204 && status !== 304) {
    const length = first?.value?.length ?? 0;
    if (!headers.has("content-length")) outgoing.setHeader("content-length", length);
  }
  const isUnread = hasMore(incoming);
  if (isUnread) outgoing.setHeader("connection", "close");
  if (first?.value === undefined) outgoing.flushHeaders();
  else outgoing.write(first.value);
  for (let piece = second; piece !== undefined && !piece.done; piece = await reader!.read()) {
    if (outgoing.destroyed) return;
    if (outgoing.write(piece.value)) continue;
    const drained = new Promise((resolve) => outgoing.once("drain", resolve));
    await Promise.race([drained, gone]);
  }
  // A client that is still sending reads the answer only then; a reset connection loses it.
  if (isUnread) await new Promise<void>((resolve) => void after(timer, LINGER_MS, resolve));
  outgoing.end();
}

/** Whether more of the body of a request is to come, or is there unread. */
function hasMore(incoming: IncomingMessage): boolean {
  const { "content-length": length = "0", "transfer-encoding": encoding } = incoming.headers;
  return (length !== "0" || encoding !== undefined) && !incoming.readableEnded;
}
