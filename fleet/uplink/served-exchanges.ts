/**
 * HTTP exchanges with the console's own service, over a socket that the console has dialled
 * (exchange.ts).
 *
 * @module
 */
import { isBranch } from "../../core/tree/tree.ts";
import { after, type Timer } from "../../core/ports.ts";
import type { Arrival, Service } from "../../transport/arrival.ts";
import {
  END,
  IDLE_MS,
  PART_BYTES,
  PARTS_AHEAD,
  type RequestHead,
  type ResponseHead,
  TAKEN,
} from "../exchange.ts";
import type { Line, LineListener } from "./line.ts";

/** The caller, and the service. */
export interface ExchangesOptions extends Pick<Arrival, "client" | "vouched"> {
  readonly service: Service;
  readonly timer: Timer;
  /** Called when the service fails to answer. */
  readonly onFault: (fault: unknown) => void;
}

/**
 * Close codes of the socket: for a frame that is not in the protocol, for a service that failed to
 * answer, and for an idle socket.
 */
const MALFORMED = 4400;
const FAILED = 4500;
const DONE = 1000;

/**
 * These headers say how the request came to the hub, or which page sent it: the hub has checked
 * that, and it does not concern the console.
 */
const OF_THE_HUB =
  /^(host|connection|keep-alive|upgrade|te|trailer|transfer-encoding|expect|cookie|origin|referer|forwarded|x-forwarded-.*|sec-.*|proxy-.*|content-length)$/i;

const HAS_NO_BODY = /^(GET|HEAD)$/;

/** Serves the exchanges of a socket until it ends. */
export function serveExchanges(
  dial: (listener: LineListener) => Line,
  options: ExchangesOptions,
): void {
  const { timer, onFault } = options;
  let exchange: Exchange | undefined;
  let isClosed = false;
  let cancelIdle = () => {};

  function waitForHub(): void {
    if (isClosed) return;
    cancelIdle();
    cancelIdle = after(timer, IDLE_MS, () => line.close(DONE, "nothing was asked"));
  }

  function begin(data: string | Uint8Array): void {
    const request = typeof data === "string" ? readHead(data) : undefined;
    if (request === undefined) return line.close(MALFORMED, "expected the head of a request");
    cancelIdle();
    const begun = beginExchange(line, request, options);
    exchange = begun;
    begun.answered.then(waitForHub, (fault) => {
      onFault(fault);
      line.close(FAILED, "the service failed to answer");
    });
    Promise.all([begun.answered, begun.received]).then(() => exchange = undefined, () => {});
  }

  const line = dial({
    opened: waitForHub,
    received(data) {
      if (exchange !== undefined) {
        if (!exchange.receive(data)) line.close(MALFORMED, "a frame is out of place");
      } else if (data !== TAKEN) begin(data);
    },
    closed() {
      isClosed = true;
      cancelIdle();
      exchange?.abandon();
    },
  });
}

/** One exchange. */
interface Exchange {
  /** Takes a frame; returns whether such a frame may come now. */
  receive(data: string | Uint8Array): boolean;
  /** Takes the end of the socket. */
  abandon(): void;
  /** Resolves once the answer is sent, or the socket has ended. */
  readonly answered: Promise<void>;
  /** Resolves once the whole request has come. */
  readonly received: Promise<void>;
}

function beginExchange(
  line: Line,
  head: RequestHead,
  { service, client, vouched }: ExchangesOptions,
): Exchange {
  const body = createBody(() => line.send(TAKEN));
  const credit = createCredit();
  const delivered = Promise.withResolvers<void>();

  async function answer(): Promise<void> {
    const response = await service({
      request: requestOf(head, body.stream),
      client,
      vouched,
      delivery: { completed: delivered.promise },
      upgrade: () => new Response(null, { status: 400 }),
    });
    const said: ResponseHead = { status: response.status, headers: [...response.headers] };
    line.send(JSON.stringify(said));
    for await (const chunk of response.body ?? []) {
      for (let at = 0; at < chunk.length; at += PART_BYTES) {
        // Leaving the loop cancels the body.
        if (!await credit.take()) return;
        line.send(chunk.subarray(at, at + PART_BYTES));
      }
    }
    line.send(END);
  }

  return {
    receive(data) {
      if (data === TAKEN) return credit.give();
      return data === END ? body.end() : typeof data !== "string" && body.add(data);
    },
    abandon() {
      body.abandon();
      credit.abandon();
    },
    answered: answer().finally(delivered.resolve),
    received: body.whole,
  };
}

/** The body of a request, part by part; `taken` is called for each part that was passed on. */
function createBody(taken: () => void) {
  const waiting: Uint8Array[] = [];
  const whole = Promise.withResolvers<void>();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isWhole = false;
  /** Whether the service waits for a part, and whether nothing is passed on any more. */
  let isAsked = false;
  let isOver = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (given) => void (controller = given),
    pull() {
      isAsked = true;
      pass();
    },
    cancel() {
      isOver = true;
      waiting.length = 0;
    },
  }, { highWaterMark: 0 });

  function pass(): void {
    if (isOver || !isAsked) return;
    const part = waiting.shift();
    if (part !== undefined) {
      isAsked = false;
      controller!.enqueue(part);
      taken();
    } else if (isWhole) {
      isOver = true;
      controller!.close();
    }
  }

  return {
    stream,
    whole: whole.promise,
    /** Takes a part; returns false if no part may come now. */
    add(part: Uint8Array): boolean {
      if (isWhole || part.length > PART_BYTES || waiting.length >= PARTS_AHEAD) return false;
      // A service that has answered already wants no more of it.
      if (isOver) return true;
      waiting.push(part);
      pass();
      return true;
    },
    /** Takes the end; returns false if it has come already. */
    end(): boolean {
      if (isWhole) return false;
      isWhole = true;
      whole.resolve();
      pass();
      return true;
    },
    /** Fails the body if the end has not come. */
    abandon() {
      if (isOver || isWhole) return;
      isOver = true;
      controller!.error(new Error("the connection to the hub is lost"));
    },
  };
}

/** The parts that may be sent before the hub has taken the earlier ones. */
function createCredit() {
  let ahead = 0;
  let isAbandoned = false;
  let goOn: ((isThere: boolean) => void) | undefined;
  return {
    /** Waits for leave to send a part; resolves with false if the socket has ended. */
    async take(): Promise<boolean> {
      if (isAbandoned) return false;
      if (ahead === PARTS_AHEAD && !await new Promise<boolean>((resolve) => goOn = resolve)) {
        return false;
      }
      ahead++;
      return true;
    },
    give(): boolean {
      if (ahead === 0) return false;
      ahead--;
      goOn?.(true);
      goOn = undefined;
      return true;
    },
    abandon() {
      isAbandoned = true;
      goOn?.(false);
    },
  };
}

function requestOf({ method, target, headers }: RequestHead, body: ReadableStream): Request {
  const own = headers.filter(([name]) => !OF_THE_HUB.test(name));
  const init = {
    method,
    headers: own.map(([name, value]): [string, string] => [name, value]),
  };
  return new Request(
    `http://localhost${target}`,
    HAS_NO_BODY.test(method) ? init : { ...init, body },
  );
}

/** Reads the head of a request; undefined if no request can be made from it. */
function readHead(text: string): RequestHead | undefined {
  try {
    const head: unknown = JSON.parse(text);
    if (!isBranch(head)) return undefined;
    const { method, target, headers } = head;
    const isHead = typeof method === "string" && typeof target === "string" &&
      target.startsWith("/") && Array.isArray(headers);
    if (!isHead) return undefined;
    const read = head as unknown as RequestHead;
    // The constructor checks the method, the target and the headers.
    requestOf(read, new ReadableStream());
    return read;
  } catch {
    return undefined;
  }
}
