/**
 * The exchange that a line carries (exchange-line.ts), and the messages of the console in it.
 *
 * @module
 */
import type { Refusal } from "../../core/errors.ts";
import { END, PART_BYTES, PARTS_AHEAD, type ResponseHead, TAKEN } from "../exchange.ts";

/** The exchange that a line carries now. */
export interface Running {
  readonly head: PromiseWithResolvers<ResponseHead | Refusal>;
  readonly parts: Uint8Array<ArrayBuffer>[];
  /** Wakes the reader of the answer, and the sender of the request. */
  wakeReader(): void;
  wakeSender(): void;
  /** Number of parts that were sent and that the console has not taken. */
  untaken: number;
  hasHead: boolean;
  isSent: boolean;
  isAnswered: boolean;
  isRead: boolean;
}

/** Makes an exchange of which nothing was sent or received. */
export function startExchange(): Running {
  return {
    head: Promise.withResolvers(),
    parts: [],
    wakeReader() {},
    wakeSender() {},
    untaken: 0,
    hasHead: false,
    isSent: false,
    isAnswered: false,
    isRead: false,
  };
}

/**
 * Takes a message of the console into its exchange, and wakes the reader or the sender that waits
 * for it. Returns false for a message that a console does not send at this point: before the head,
 * after the end, of too many bytes, or of more parts than the reader has asked for.
 */
export function takeMessage(running: Running, data: unknown): boolean {
  if (data === TAKEN) {
    running.untaken -= 1;
    if (running.untaken < 0) return false;
    running.wakeSender();
    return true;
  }
  if (running.isAnswered) return false;
  if (typeof data === "string") {
    if (data === END && running.hasHead) {
      running.isAnswered = true;
      running.wakeSender();
      running.wakeReader();
      return true;
    }
    const head = running.hasHead ? undefined : readHead(data);
    if (head === undefined) return false;
    running.hasHead = true;
    running.head.resolve(head);
    return true;
  }
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : undefined;
  const isRight = bytes !== undefined && running.hasHead && bytes.length <= PART_BYTES &&
    running.parts.length < PARTS_AHEAD;
  if (!isRight) return false;
  running.parts.push(bytes);
  running.wakeReader();
  return true;
}

/** Reads the head of an answer; undefined for anything else. */
function readHead(data: string): ResponseHead | undefined {
  try {
    const { status, headers } = JSON.parse(data) as ResponseHead;
    if (!Number.isInteger(status) || status < 200 || status > 599) return undefined;
    // This throws if they are not headers of HTTP.
    for (const [name, value] of headers) new Headers([[name, value]]);
    return { status, headers };
  } catch {
    return undefined;
  }
}
