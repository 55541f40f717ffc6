/**
 * The connection to a console: it comes back by itself, at ever longer intervals, and notices when
 * the other end has gone without a word.
 *
 * @module
 */
import type { Socket, World } from "./world.ts";

/**
 * How a client stands to its console. `connecting`: there has been no connection yet, it is tried.
 * `open`: requests are answered. `lost`: there was a connection; it is tried again. `refused`: the
 * console does not take the token, and is not asked again. `closed`: the client was closed.
 */
export type ConnectionState = "connecting" | "open" | "lost" | "refused" | "closed";

/** What a client has come to, and why, as a sentence for people. */
export interface StateChange {
  readonly state: ConnectionState;
  readonly reason: string;
  /** The code with which the connection was closed, where it was. */
  readonly code?: number;
}

/** What a connection does at its turning points. */
export interface Turns {
  /** The socket is open: to be answered by `established`, once requests will be answered. */
  opened(): void;
  received(data: unknown): void;
  /** Nothing has come for some time: whatever is sent now has to bring an answer. */
  silent(): void;
  /** An attempt failed, or the connection is lost, and is tried again soon. */
  lost(change: StateChange): void;
}

/** A connection. */
export interface Connection {
  readonly state: ConnectionState;
  /** Bytes that were sent and that the network has not taken yet. */
  readonly unsent: number;
  send(text: string): void;
  established(): void;
  /** Gives up the socket that there is; another is tried soon. */
  lose(reason: string): void;
  /** Ends it for good; resolves when the socket is gone. */
  end(state: "refused" | "closed"): Promise<void>;
}

/** The first attempt comes so soon after a loss, in ms, each further one after twice as long. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;

/** How often it is looked whether anything has come, in ms. */
const BEAT_MS = 5000;

/** So many beats in which nothing came lose the connection; one that opens has as long for it. */
const SILENT_BEATS = 3;

/** After so many beats a connection has proved good: the next loss is a first one again. */
const STEADY_BEATS = 2;

/** A console that does not answer a close is not waited for longer than so, in ms. */
const CLOSE_MS = 1000;

/** What a socket that could not be opened is closed with; Node 22 tells of an error alone. */
const ABNORMAL_CLOSURE = 1006;

/** Answers how long to wait before the next attempt, in ms, after so many in a row have failed. */
export function backOffMs(failures: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
}

/** Makes a connection, and begins to connect; throws where `url` is none of a WebSocket. */
export function createConnection(url: string, world: World, turns: Turns): Connection {
  let state: ConnectionState = "connecting";
  let socket: Socket | undefined;
  /** How many attempts in a row have failed, or brought a connection that did not last. */
  let failures = 0;
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
      turns.opened();
    };
    own.onmessage = ({ data }) => {
      silentBeats = 0;
      turns.received(data);
    };
    own.onerror = (event) => {
      if (!isOpen) lose(`the console could not be reached${causeOf(event)}`, ABNORMAL_CLOSURE);
    };
    own.onclose = ({ code, reason }) =>
      lose(
        `the connection was closed, with code ${code}${reason === "" ? "" : `: ${reason}`}`,
        code,
      );
    cancelTimer = world.after(BEAT_MS, beat);

    function beat(): void {
      if (silentBeats >= SILENT_BEATS) return lose("nothing came from the console for 15 s");
      if (state === "open") {
        if (silentBeats > 0) turns.silent();
        if (++openBeats >= STEADY_BEATS) failures = 0;
      }
      silentBeats++;
      cancelTimer = world.after(BEAT_MS, beat);
    }
  }

  /** Lets go of the socket that there is, from which nothing is heard any more. */
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
    // Clients that lost one console together come back one after the other.
    cancelTimer = world.after(wait * (1 + world.random()) / 2, attempt);
    if (state === "open") state = "lost";
    turns.lost({ state, reason, ...(code === undefined ? {} : { code }) });
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
    send: (text) => socket?.send(text),
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
