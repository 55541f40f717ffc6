/**
 * The sockets that a console dials to its hub. How a socket is opened is a port, because no web
 * standard lets a client name a certificate authority or send a token in a header.
 *
 * @module
 */

/** A socket that was dialled. */
export interface Line {
  /** Sends a text or binary frame. Before the handshake and after the end it does nothing. */
  send(data: string | Uint8Array): void;
  /** Ends it, even while it is being dialled; `closed` of the listener is called soon after. */
  close(code: number, reason: string): void;
  /** Number of bytes passed to `send` that the network has not accepted yet. */
  readonly bufferedAmount: number;
}

/** Receives the events of a line. */
export interface LineListener {
  /** The handshake is done. */
  opened(): void;
  /** Called with the content of a frame: a string, unless the frame is binary. */
  received(data: string | Uint8Array): void;
  /** Called once, at the end of the line, even if it could not be dialled. */
  closed(code: number, reason: string): void;
}

/** Dials a path of a hub (`wss://hub.example`), with the token of the console. */
export type Dial = (hub: string, path: string, listener: LineListener) => Line;
