/**
 * One connection of the TLS front. The front sees its encrypted bytes, and the server behind it
 * sees its requests and messages.
 *
 * @module
 */
import { after, type Timer } from "../../core/ports.ts";
import type { MemoryQuota } from "../../transport/memory-quota.ts";
import { countReceiveBuffer } from "../../transport/receive-buffer.ts";

/** Time in ms after which a connection without a complete request head is closed. */
export const HEAD_MS = 10_000;

/**
 * Time in ms after which an idle connection is closed, unless it waits for an answer. A WebSocket
 * that is alive is pinged more often.
 */
export const IDLE_MS = 60_000;

/** Time in ms within which the server behind the front has to report a complete message or head. */
const WHOLE_MS = 5000;

/**
 * Memory in bytes of a connection that is not a WebSocket: its buffers here, and those of the
 * server of Deno.
 */
export const CONNECTION_BYTES = 48 * 1024;

/** The status of the answer to a request whose body was not read because of the memory limit. */
const UNREAD = 503;

/** Memory of such a request in bytes, in addition to its body, while its stream is open. */
const UNREAD_BYTES = 8 * 1024;

/** Upper bound of the size of a request head in bytes: Deno answers 431 before. */
const HEAD_BYTES = 512 * 1024;

/** The reports of the server behind the front about a connection. */
export interface FrontConnection {
  /** The address of the client. */
  readonly client: string;
  /**
   * A request has come. Its body, if it has one, follows until the answer. The body of a request
   * that is refused for lack of memory (503) is still in Deno's buffers, and counts.
   */
  asked(answer: Response | Promise<Response>, hasBody: boolean): void;
  /** The connection has become a WebSocket, whose messages have at most `longest` bytes. */
  opened(longest: () => number): void;
  /** Called when a complete message was received. */
  heard(): void;
}

/** The reports of the front about a connection. */
export interface Passing extends FrontConnection {
  /**
   * Called when the client has sent bytes. Nothing more may be read from it before the promise
   * resolves.
   */
  sent(bytes: number): Promise<void> | undefined;
  /** Called when something was sent to the client. */
  received(): void;
  ended(): void;
}

/** Makes a newly opened connection; `cut` ends it. */
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
  /** The number of requests that are being answered. */
  let answering = 0;
  let longestMessage: (() => number) | undefined;
  let goOn = () => {};
  let stopLooking = after(timer, HEAD_MS, look);

  function look(): void {
    const left = last + (hasAsked ? IDLE_MS : HEAD_MS) - timer.monotonic();
    if (left <= 0 && answering === 0) cut();
    else stopLooking = after(timer, left > 0 ? left : IDLE_MS, look);
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
   * Waits for the next report of the server behind. More bytes than one message, or one head, have
   * passed since the last complete one, so they contain another complete one if the client is
   * honest: the server behind is about to report it.
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
      if (answer instanceof Promise) {
        answering++;
        const end = () => {
          answering--;
          passed();
        };
        answer.then(end, end);
      }
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

/** Returns the maximum size of a message on the wire in bytes, with its frames and TLS records. */
function encrypted(bytes: number): number {
  return bytes * 1.25 + 64 * 1024;
}
