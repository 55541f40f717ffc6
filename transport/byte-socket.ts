/**
 * A TCP connection, for interfaces that are carried over plain TCP and not over HTTP.
 *
 * @module
 */

/** The sending side of a connection over TCP. */
export interface ByteSocket {
  /** Sends bytes after the previous ones; does nothing after the end of the connection. */
  send(bytes: Uint8Array): void;
  /** Ends the connection at once; bytes that are not sent yet are lost. */
  close(): void;
  /** Number of bytes passed to `send` that the network has not accepted yet. */
  readonly bufferedAmount: number;
}

/** Receives the bytes of a connection. */
export interface ByteListener {
  /** Called with bytes in the order in which they came; they are valid until it returns. */
  receive(bytes: Uint8Array): void;
  /** Called once, when the connection has ended, whichever side ended it. */
  closed(): void;
}

/** Opens the listener of a connection from an address; undefined if the connection is refused. */
export type OpenByteSocket = (socket: ByteSocket, address: string) => ByteListener | undefined;
