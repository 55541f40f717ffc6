/**
 * A socket of a ticket that carries exchanges over HTTP, one after the other, at the hub's end
 * (fleet/exchange.ts). Neither a slow client nor a slow console makes the hub hold more than a few
 * parts of a body.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { after, type Timer } from "../../core/ports.ts";
import type { Listener } from "../../transport/arrival.ts";
import { refused } from "../../transport/json-answers.ts";
import { NORMAL_CLOSURE } from "../../transport/websocket/close-codes.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import { END, IDLE_MS, PART_BYTES, PARTS_AHEAD, type RequestHead, TAKEN } from "../exchange.ts";
import { EXCHANGE_MS } from "./hub-limits.ts";
import { inert, requestHeaders } from "./relayed-headers.ts";
import { type Running, startExchange, takeMessage } from "./running-exchange.ts";

/** The idle time in ms after which this end closes a socket, before the console does. */
const REUSED_MS = IDLE_MS - 5000;

const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Opens a socket for exchanges with a console as a user. */
export type OpenLine = (listener: Listener) => Promise<Socket | Refusal>;

/** A socket that carries exchanges, one after the other. */
export interface ExchangeLine {
  exchange(target: string, request: Request): Promise<Response>;
  /** Marks the line as no longer idle. */
  wake(): void;
}

const BROKEN = refuse("noSuchObject", "the connection to the console ended before its answer");
const LATE = refuse("noSuchObject", `the console did not answer within ${EXCHANGE_MS / 1000} s`);
const WRONG = refuse("malformed", "the console did not answer as a console does");

/**
 * Opens a line. `free` is called when it is idle, and returns the function that removes it from the
 * idle lines, or undefined if it is not kept.
 */
export async function openLine(
  open: OpenLine,
  timer: Timer,
  free: (line: ExchangeLine) => (() => void) | undefined,
): Promise<ExchangeLine | Refusal> {
  let running: Running | undefined;
  let isOpen = true;
  let isClosed = false;
  let stopIdling = () => {};
  let stopWaiting = () => {};

  let socket: Socket | undefined = undefined;

  function fail(refusal: Refusal): void {
    if (isOpen) socket?.close(NORMAL_CLOSURE, "");
    isOpen = false;
    stopIdling();
    stopWaiting();
    const failed = running;
    running = undefined;
    if (failed === undefined) return;
    failed.head.resolve(refusal);
    failed.wakeReader();
    failed.wakeSender();
  }

  /** Takes note of progress: the time limit of the exchange begins anew. */
  function touch(): void {
    stopWaiting();
    stopWaiting = after(timer, EXCHANGE_MS, () => fail(LATE));
  }

  function receive(data: unknown): void {
    if (running === undefined) return fail(WRONG);
    touch();
    if (!takeMessage(running, data)) fail(WRONG);
  }

  async function sendBody(own: Running, body: ReadableStream<Uint8Array> | null): Promise<void> {
    const reader = body?.getReader();
    try {
      while (reader !== undefined) {
        const { done, value } = await reader.read();
        if (done) break;
        for (let start = 0; start < value.length; start += PART_BYTES) {
          while (running === own && !own.isAnswered && own.untaken >= PARTS_AHEAD) {
            await new Promise<void>((resolve) => own.wakeSender = resolve);
          }
          if (running !== own || own.isAnswered) return;
          own.untaken += 1;
          touch();
          socket?.sendBytes?.(value.slice(start, start + PART_BYTES) as Uint8Array<ArrayBuffer>);
        }
      }
      if (running !== own || own.isAnswered) return;
      own.isSent = true;
      socket?.send(END);
      settle(own);
    } catch {
      // The client ended its connection in the middle of its request.
      if (running === own) fail(BROKEN);
    } finally {
      reader?.cancel().catch(() => {});
    }
  }

  /**
   * Frees the line once the answer is read; a line whose request was not read whole, or that is not
   * kept, is closed.
   */
  function settle(own: Running): void {
    if (running !== own || !own.isAnswered || !own.isRead) return;
    running = undefined;
    stopWaiting();
    const unlist = own.isSent && own.untaken === 0 ? free(line) : undefined;
    if (unlist === undefined) {
      isOpen = false;
      return socket?.close(NORMAL_CLOSURE, "");
    }
    const stopTimer = after(timer, REUSED_MS, () => fail(LATE));
    stopIdling = () => {
      unlist();
      stopTimer();
    };
  }

  function bodyOf(own: Running): ReadableStream<Uint8Array> {
    return new ReadableStream({
      async pull(controller) {
        while (running === own && own.parts.length === 0 && !own.isAnswered) {
          await new Promise<void>((resolve) => own.wakeReader = resolve);
        }
        const part = own.parts.shift();
        if (part !== undefined) {
          if (running === own) {
            touch();
            socket?.send(TAKEN);
          }
          return controller.enqueue(part);
        }
        if (!own.isAnswered) return controller.error(new Error(BROKEN.message));
        controller.close();
        own.isRead = true;
        settle(own);
      },
      cancel() {
        if (running === own) fail(BROKEN);
      },
    }, { highWaterMark: 0 });
  }

  const line: ExchangeLine = {
    wake() {
      stopIdling();
      stopIdling = () => {};
    },
    async exchange(target, request) {
      const own = startExchange();
      running = own;
      touch();
      const { method } = request;
      const asked: RequestHead = { method, target, headers: requestHeaders(request) };
      socket?.send(JSON.stringify(asked));
      void sendBody(own, request.body);
      const head = await own.head.promise;
      if (isRefusal(head)) {
        request.body?.cancel().catch(() => {});
        return refused(head === LATE ? 504 : 502, head);
      }
      const { status } = head;
      const headers = inert(head.headers);
      const body = bodyOf(own);
      if (!NO_BODY.has(status) && method !== "HEAD") return new Response(body, { status, headers });
      // There are no parts, but the end of the answer has to be read.
      await ended(body);
      return new Response(null, { status, headers });
    },
  };
  const outcome = await open({
    receive,
    closed() {
      isClosed = true;
      fail(BROKEN);
    },
  });
  if (isRefusal(outcome)) return outcome;
  // The socket may be closed already.
  if (isClosed) return BROKEN;
  socket = outcome;
  return line;
}

/** Reads the end of an answer; a console that sends a part instead loses its line. */
async function ended(body: ReadableStream<Uint8Array>): Promise<void> {
  try {
    // Leaving the loop cancels the body.
    for await (const _ of body) return;
  } catch {
    // The line has failed, and is closed.
  }
}
