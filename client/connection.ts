/**
 * The connection to a console. It is made again automatically, at growing intervals, and counts as
 * lost when nothing comes from the console any more.
 *
 * @module
 */
import type { Socket, World } from "./world.ts";

/**
 * The state of a client. `connecting`: the first connection is tried. `open`: requests are
 * answered. `lost`: the connection was lost; it is tried again. `refused`: the console does not
 * take the token, and is not asked again. `closed`: the client was closed.
 */
export type ConnectionState = "connecting" | "open" | "lost" | "refused" | "closed";

/** A change of the state of a client, and its reason as a sentence for people. */
export interface StateChange {
  readonly state: ConnectionState;
  readonly reason: string;
  /** The close code of the connection, where it was closed. */
  readonly code?: number;
}

/** The events of a connection for its owner. */
export interface ConnectionListener {
  /** The socket is open. The owner calls `established` once requests are answered. */
  opened(): void;
  received(data: unknown): void;
  /** Says whether a request has no answer yet. */
  isWaiting(): boolean;
  /** No message has come for some time: the owner has to send a request that is answered. */
  silent(): void;
  /** An attempt failed, or the connection is lost, and is tried again soon. */
  lost(change: StateChange): void;
}

/** A connection. */
export interface Connection {
  readonly state: ConnectionState;
  /** Bytes that wait to be sent. */
  readonly unsent: number;
  send(text: string): void;
  established(): void;
  /** Closes the socket; another is tried soon. */
  lose(reason: string): void;
  /** Ends it for good; resolves when the socket is gone. */
  end(state: "refused" | "closed"): Promise<void>;
}

/** The wait before the first attempt after a loss, in ms. Doubles with each further one. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;

/** The interval at which the connection is checked for silence, in ms. */
const BEAT_MS = 5000;

/** Number of beats without a message after which a connection is lost, also while it opens. */
const SILENT_BEATS = 3;

/**
 * Maximum of that number. Each loss by silence doubles it for the next connection: a large answer
 * may have been on its way over a slow link, and nothing of a message is seen before its end. The
 * console, too, gives up a client that has read nothing for 60 s. Once a connection has been open
 * for this number of beats and all its requests are answered, the number is `SILENT_BEATS` again.
 */
const MOST_SILENT_BEATS = 12;

/** Number of beats after which a connection is steady: after its loss the waits begin anew. */
const STEADY_BEATS = 2;

/** The time that a console has to answer a close, in ms. */
const CLOSE_MS = 1000;

/**
 * The close code of a socket that could not be opened, for which Node 22 gives no code, and of one
 * that ended without a code, for which Deno 2.9 gives 0.
 */
const ABNORMAL_CLOSURE = 1006;

/** The state of a socket that takes messages. */
const OPEN = 1;

/** Returns the wait before the next attempt, in ms, after a number of failures in a row. */
export function backOffMs(failures: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
}

/** Makes a connection; throws where `url` is not the address of a WebSocket. */
export function createConnection(
  url: string,
  world: World,
  listener: ConnectionListener,
): Connection {
  let state: ConnectionState = "connecting";
  let socket: Socket | undefined;
  /** Number of attempts in a row that failed, or made a connection that did not last. */
  let failures = 0;
  /** Number of beats without a message after which an open connection is lost. */
  let allowedBeats = SILENT_BEATS;
  let cancelTimer = () => {};

  function attempt(): void {
    cancelTimer();
    const own = world.open(url);
    let silentBeats = 0;
    let openBeats = 0;
    let isOpen = false;
    socket = own;
    own.onopen = () => {
      isOpen = true;
      listener.opened();
    };
    own.onmessage = ({ data }) => {
      silentBeats = 0;
      listener.received(data);
    };
    own.onerror = (event) => {
      if (!isOpen) lose(`the console could not be reached${causeOf(event)}`, ABNORMAL_CLOSURE);
    };
    own.onclose = ({ code: given, reason }) => {
      const code = given || ABNORMAL_CLOSURE;
      lose(
        `the connection was closed, with code ${code}${reason === "" ? "" : `: ${reason}`}`,
        code,
      );
    };
    cancelTimer = world.after(BEAT_MS, beat);

    function beat(): void {
      if (silentBeats >= (state === "open" ? allowedBeats : SILENT_BEATS)) {
        if (state === "open") allowedBeats = Math.min(2 * allowedBeats, MOST_SILENT_BEATS);
        return lose(`nothing came from the console for ${silentBeats * BEAT_MS / 1000} s`);
      }
      if (state === "open") {
        if (++openBeats >= STEADY_BEATS) failures = 0;
        if (openBeats >= MOST_SILENT_BEATS && !listener.isWaiting()) allowedBeats = SILENT_BEATS;
        if (silentBeats > 0) listener.silent();
      }
      silentBeats++;
      cancelTimer = world.after(BEAT_MS, beat);
    }
  }

  /** Closes the socket, and listens to it no more. */
  function release(): Socket | undefined {
    cancelTimer();
    const own = socket;
    socket = undefined;
    if (own === undefined) return;
    own.onopen = own.onmessage = own.onclose = null;
    // The sockets of `ws` throw an error that nobody listens to.
    own.onerror = () => {};
    own.close();
    return own;
  }

  function lose(reason: string, code?: number): void {
    if (socket === undefined) return;
    release();
    const wait = backOffMs(failures++);
    // Clients that lost a console at the same time reconnect one after the other.
    cancelTimer = world.after(wait * (1 + world.random()) / 2, attempt);
    if (state === "open") state = "lost";
    listener.lost({ state, reason, ...(code === undefined ? {} : { code }) });
  }

  const stopOnline = world.online(() => {
    if (socket === undefined && state !== "refused" && state !== "closed") attempt();
  });
  try {
    attempt();
  } catch (fault) {
    stopOnline();
    throw fault;
  }

  return {
    get state() {
      return state;
    },
    get unsent() {
      return socket?.bufferedAmount ?? 0;
    },
    send(text) {
      // A socket may be closing before its close event; a browser would log an error then.
      if (socket?.readyState === OPEN) socket.send(text);
    },
    established() {
      state = "open";
    },
    lose,
    end(last) {
      state = last;
      stopOnline();
      const own = release();
      return new Promise((resolve) => {
        if (own === undefined) return resolve();
        const cancel = world.after(CLOSE_MS, resolve);
        own.onclose = own.onerror = () => {
          cancel();
          resolve();
        };
      });
    },
  };
}

/** Browsers do not say why a connection could not be made. */
function causeOf(event: Event): string {
  return "message" in event && event.message ? `: ${event.message}` : "";
}
