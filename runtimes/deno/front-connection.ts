/**
 * One connection of the TLS front, of which the front sees the bytes, still encrypted, and the
 * server behind it the requests and messages that they make.
 *
 * @module
 */
import { after, type Timer } from "../../core/ports.ts";
import type { MemoryQuota } from "../../transport/memory-quota.ts";
import { countReceiveBuffer } from "../../transport/receive-buffer.ts";

/** Time in ms after which a connection that has not brought a whole head is closed. */
export const HEAD_MS = 10_000;

/**
 * Time in ms after which an idle connection is closed. A WebSocket that is alive is pinged more
 * often.
 */
export const IDLE_MS = 60_000;

/** Time in ms in which the server behind has to report a whole message or head. */
const WHOLE_MS = 5000;

/** Bytes of a connection that is not a WebSocket: its buffers here, and those of Deno's server. */
export const CONNECTION_BYTES = 48 * 1024;

/** The status of an answer to a request whose body was not read, for want of memory. */
const UNREAD = 503;

/** Bytes of such a request for as long as its stream is open, beside those of its body. */
const UNREAD_BYTES = 8 * 1024;

/** More than the bytes of any head: Deno answers 431 before. */
const HEAD_BYTES = 512 * 1024;

/** What the server behind knows of a connection, and tells of it. */
export interface FrontConnection {
  /** The address that it really came from. */
  readonly client: string;
  /**
   * A request has come. Where it has a body, that follows until the answer. The body of a request
   * that is refused for want of memory (503) is still in Deno's buffers, and counts.
   */
  asked(answer: Response | Promise<Response>, hasBody: boolean): void;
  /** It has become a WebSocket, whose messages have at most `longest` bytes. */
  opened(longest: () => number): void;
  /** A whole message has come. */
  heard(): void;
}

/** What the front tells of a connection. */
export interface Passing extends FrontConnection {
  /** The client has sent bytes. No more of it may be read before the promise resolves. */
  sent(bytes: number): Promise<void> | undefined;
  /** The client was sent something. */
  received(): void;
  ended(): void;
}

/** A connection that has just been opened; `cut` ends it. */
export function createFrontConnection(
  client: string,
  quota: MemoryQuota,
  timer: Timer,
  cut: () => void,
): Passing {
  const held = countReceiveBuffer(quota, client, CONNECTION_BYTES, timer, cut);
  let last = timer.monotonic();
  let hasAsked = false;
  let bodies = 0;
  let longestMessage: (() => number) | undefined;
  let goOn = () => {};
  let stopLooking = after(timer, HEAD_MS, look);

  function look(): void {
    const left = last + (hasAsked ? IDLE_MS : HEAD_MS) - timer.monotonic();
    if (left <= 0) cut();
    else stopLooking = after(timer, left, look);
  }

  function passed(): void {
    if (hasAsked) last = timer.monotonic();
  }

  function whole(bytes: number): void {
    held.whole(bytes);
    goOn();
  }

  function answered(response?: Response): void {
    if (response?.status === UNREAD) held.grew(UNREAD_BYTES);
    else whole(CONNECTION_BYTES);
  }

  /**
   * More than one message, or one head, has passed since the last that was whole, so another whole
   * one is among it where the client is honest: the server behind is about to tell of it.
   */
  function wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stopWaiting = after(timer, WHOLE_MS, cut);
    goOn = () => {
      stopWaiting();
      resolve();
    };
    return promise;
  }

  return {
    client,
    asked(answer, hasBody) {
      hasAsked = true;
      passed();
      if (!hasBody) return whole(CONNECTION_BYTES);
      if (!(answer instanceof Promise)) return answered(answer);
      bodies++;
      const end = (response?: Response) => {
        bodies--;
        answered(response);
      };
      answer.then(end, () => end());
    },
    opened(longest) {
      longestMessage = longest;
      whole(0);
    },
    heard: () => whole(0),
    sent(bytes) {
      passed();
      if (bodies > 0) return;
      held.grew(bytes);
      const most = longestMessage === undefined ? HEAD_BYTES : encrypted(longestMessage());
      if (held.bytes > most) return wait();
    },
    received: passed,
    ended() {
      stopLooking();
      goOn();
      held.leave();
    },
  };
}

/** Maximum number of bytes that a message takes on its way, with its frames and TLS records. */
function encrypted(bytes: number): number {
  return bytes * 1.25 + 64 * 1024;
}
