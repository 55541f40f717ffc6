/** The part of the package `ws` that is used here. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

export class WebSocket {
  static readonly OPEN: 1;
  readonly readyState: number;
  readonly bufferedAmount: number;
  constructor(url: string, options?: { readonly closeTimeout: number });
  send(text: string): void;
  ping(): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
  on(event: "message", hear: (data: Uint8Array, isBinary: boolean) => void): void;
  on(event: "pong" | "close", hear: () => void): void;
  on(event: "error", hear: (fault: Error) => void): void;
}

export class WebSocketServer {
  constructor(options: {
    readonly noServer: true;
    readonly clientTracking: false;
    readonly maxPayload: number;
    readonly perMessageDeflate: false;
    readonly handleProtocols: () => false;
  });
  handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Uint8Array,
    opened: (socket: WebSocket) => void,
  ): void;
}
