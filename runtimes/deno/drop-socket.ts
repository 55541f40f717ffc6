/**
 * Drops WebSockets, which the web's own interface cannot do.
 *
 * @module
 */

/**
 * Drops a connection, whatever the other end does. `WebSocket.close` alone waits for the other end
 * without a limit, and holds the receive and send buffers of the connection meanwhile. The web's
 * own interface has nothing for that; the function that Deno itself uses can be reached
 * (tests/transport/budget.test.ts).
 */
export function dropSocket(socket: WebSocket, onFault: (fault: unknown) => void): void {
  const rid = Object.getOwnPropertySymbols(socket).find((one) => one.description === "[[rid]]");
  const { internal } = Deno as unknown as { readonly internal: symbol };
  const core = (Deno as unknown as Record<symbol, Internals | undefined>)[internal]?.core;
  if (rid === undefined || core === undefined) {
    return onFault(new Error("this Deno has no way to drop a WebSocket"));
  }
  core.tryClose((socket as unknown as Record<symbol, number>)[rid]!);
}

interface Internals {
  readonly core: { tryClose(resource: number): void };
}
