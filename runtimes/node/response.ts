/**
 * Sends answers by the HTTP server of Node.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { UNREAD_BODY_MS } from "../../core/limits.ts";
import { after, type Timer } from "../../core/ports.ts";

/**
 * Sends an answer; resolves once it is passed to Node, or the client has disconnected. If the body
 * of the request was not read completely, the connection ends with the answer, because Node would
 * otherwise read the rest, however large.
 */
export async function send(
  { status, headers, body }: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  timer: Timer,
): Promise<void> {
  if (outgoing.destroyed) return await body?.cancel();
  const reader = body?.getReader();
  const gone = new Promise<undefined>((resolve) =>
    outgoing.once("close", () => resolve(undefined))
  );
  gone.then(() => reader?.cancel().catch(() => {}));
  outgoing.statusCode = status;
  for (const [name, value] of headers) outgoing.setHeader(name, value);
  const first = await reader?.read();
  // An answer in one piece gets a `content-length`.
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
  // A client that is still sending reads the answer only afterwards; a reset of the connection
  // would lose it.
  if (isUnread) await new Promise<void>((resolve) => void after(timer, UNREAD_BODY_MS, resolve));
  outgoing.end();
}

/** Whether a part of the body of a request is still to come, or unread. */
function hasMore(incoming: IncomingMessage): boolean {
  const { "content-length": length = "0", "transfer-encoding": encoding } = incoming.headers;
  return (length !== "0" || encoding !== undefined) && !incoming.readableEnded;
}
