/**
 * The parts of Workers that are no web standard.
 *
 * @module
 */

/** A WebSocket as Workers have it: nothing is heard on it before it is accepted. */
export interface WorkerSocket
  extends Pick<WebSocket, "send" | "close" | "readyState" | "addEventListener"> {
  accept(): void;
}

/** Makes the two ends of a WebSocket: the first is for the client, the second is ours. */
export function webSocketPair(): readonly [client: WorkerSocket, own: WorkerSocket] {
  const { WebSocketPair } = globalThis as unknown as {
    readonly WebSocketPair: new () => Readonly<Record<0 | 1, WorkerSocket>>;
  };
  const { 0: client, 1: own } = new WebSocketPair();
  return [client, own];
}

/** Makes the answer that gives a client its end of a WebSocket. */
export function switching(client: WorkerSocket): Response {
  return new Response(null, { status: 101, webSocket: client } as ResponseInit);
}
