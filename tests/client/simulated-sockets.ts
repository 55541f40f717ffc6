/**
 * A world for a client in which the test is the console: it opens the sockets of the client, reads
 * the messages sent, sends any message, and lets time pass.
 *
 * @module
 */
import { connect, type ConnectOptions, type RequestError } from "../../client/client.ts";
import type { Socket, World } from "../../client/world.ts";
import { passingTime } from "../timers.ts";
import type { Json } from "../service.ts";

/** A socket of the client, from its other end. */
export interface FarEnd {
  /** The messages that the client has sent and the test has not taken. */
  readonly sent: Json[];
  /** Whether the client has closed it. */
  readonly isClosed: boolean;
  /** The handshake is done. */
  open(): void;
  /** Sends any data to the client, also data that is not a message. */
  say(message: unknown): void;
  /** Takes all messages that the client has sent, and answers each as `reply` says. */
  answer(reply: (message: Json) => object): Json[];
  /** The handshake fails: in Node 22 only an error event; `message` is absent in browsers. */
  fail(message?: string): void;
  /** The connection is gone. */
  drop(code?: number, reason?: string): void;
}

/** A simulated world, and what the test does in it. */
export interface SimulatedSockets {
  readonly world: World;
  /** The sockets that were ever made, in order. */
  readonly sockets: FarEnd[];
  /** The newest. */
  last(): FarEnd;
  pass(ms: number): void;
  /** The machine is in a network again. */
  goOnline(): void;
  /** The number of timers that wait. */
  pending(): number;
}

/** A client in a simulated world; it is connecting, and needs not be closed. */
export function simulatedDesk({ random, ...options }: ConnectOptions & { random?: number } = {}) {
  const simulated = simulatedSockets(random);
  const desk = connect("ws://desk/api/ws", { world: simulated.world, ...options });
  return { desk, ...simulated };
}

/** A client whose first connection is open, and nothing asked yet. */
export function openedDesk() {
  const simulated = simulatedDesk();
  simulated.last().open();
  return simulated;
}

/** The error of a request that is rejected while the test does not wait for it. */
export async function errorOf(request: Promise<unknown>): Promise<RequestError> {
  try {
    await request;
  } catch (error) {
    return error as RequestError;
  }
  throw new Error("the request succeeded");
}

/** Makes a world whose random numbers are all `random`. */
export function simulatedSockets(random = 1): SimulatedSockets {
  const { timer, pass, pending } = passingTime();
  const sockets: FarEnd[] = [];
  const back = new Set<() => void>();
  return {
    sockets,
    last: () => sockets.at(-1)!,
    pass,
    pending,
    goOnline: () => back.forEach((one) => one()),
    world: {
      open() {
        const { socket, end } = farEnd();
        sockets.push(end);
        return socket;
      },
      after: (ms, wake) => timer.at(timer.monotonic() + ms, wake),
      random: () => random,
      online(listener) {
        back.add(listener);
        return () => back.delete(listener);
      },
    },
  };
}

function farEnd(): { socket: Socket; end: FarEnd } {
  const sent: Json[] = [];
  let isClosed = false;
  // The events have only the members that the client reads.
  const event = (members: object) => members as never;
  const socket: Socket = {
    get readyState() {
      return isClosed ? 3 : 1;
    },
    bufferedAmount: 0,
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
    send: (text) => void sent.push(JSON.parse(text as string)),
    close() {
      isClosed = true;
      queueMicrotask(() => socket.onclose?.call(undefined as never, event({ code: 1000 })));
    },
  };
  const say = (message: unknown) => {
    const data = typeof message === "object" ? JSON.stringify(message) : message;
    socket.onmessage?.call(undefined as never, event({ data }));
  };
  return {
    socket,
    end: {
      sent,
      get isClosed() {
        return isClosed;
      },
      open: () => socket.onopen?.call(undefined as never, event({})),
      say,
      answer(reply) {
        const asked = sent.splice(0);
        for (const message of asked) {
          const { msgID, method, path } = message;
          say({ msgID, method, path, success: true, ...reply(message) });
        }
        return asked;
      },
      fail(message) {
        isClosed = true;
        socket.onerror?.call(undefined as never, event(message === undefined ? {} : { message }));
      },
      drop(code = 1006, reason = "") {
        isClosed = true;
        socket.onclose?.call(undefined as never, event({ code, reason }));
      },
    },
  };
}
