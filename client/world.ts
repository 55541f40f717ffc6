/**
 * The parts of its platform that the client needs: sockets, time and random numbers. Tests give
 * their own.
 *
 * @module
 */

/** The part of a `WebSocket` that the client uses. */
export type Socket = Pick<
  WebSocket,
  | "send"
  | "close"
  | "readyState"
  | "bufferedAmount"
  | "onopen"
  | "onmessage"
  | "onclose"
  | "onerror"
>;

/** The world of a client. */
export interface World {
  /** Opens a socket; throws where `url` is not the address of a WebSocket. */
  open(url: string): Socket;
  /** Calls `wake` once, in `ms`; the returned function cancels it. */
  after(ms: number, wake: () => void): () => void;
  /** Returns a random number from 0, inclusive, to 1, exclusive. */
  random(): number;
  /** Calls `back` whenever the machine is in a network again; the returned function ends that. */
  online(back: () => void): () => void;
}

/** The world as web standards provide it: in browsers, Deno, Node from version 22 on, and Bun. */
export const webWorld: World = {
  open(url) {
    if (globalThis.WebSocket === undefined) {
      throw new TypeError(
        'there is no WebSocket here: in Node before version 22 set globalThis.WebSocket to that of the package "ws"',
      );
    }
    return new WebSocket(url);
  },
  after(ms, wake) {
    const timeout = setTimeout(wake, ms);
    return () => clearTimeout(timeout);
  },
  random: Math.random,
  online(back) {
    // Node has no such events.
    globalThis.addEventListener?.("online", back);
    return () => globalThis.removeEventListener?.("online", back);
  },
};
