/**
 * A connection over TCP as those interfaces see it that have no messages of their own.
 *
 * @module
 */

/** The sending side of a connection over TCP. */
export interface ByteSocket {
  /** Sends bytes after those before; after the end of the connection nothing happens. */
  send(bytes: Uint8Array): void;
  /** Ends the connection at once; what is not sent yet is lost. */
  close(): void;
  /** Number of bytes passed to `send` that the network has not accepted yet. */
  readonly bufferedAmount: number;
}

/** Receives what comes over a connection. */
export interface ByteListener {
  /** Called with bytes in the order in which they came; they are valid until it returns. */
  receive(bytes: Uint8Array): void;
  /** Called once, when the connection has ended, whoever ended it. */
  closed(): void;
}

/** Opens what serves a connection from an address; undefined where it is refused. */
export type OpenByteSocket = (socket: ByteSocket, address: string) => ByteListener | undefined;
