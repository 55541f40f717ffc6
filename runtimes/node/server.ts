/**
 * Serves HTTP and WebSockets in Node, as `runtimes/deno/server.ts` does in Deno.
 *
 * @module
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Address, Server, ServerParts } from "../../transport/server.ts";
import { createNodeHandler } from "./handler.ts";

/** Time in ms in which a complete head has to come, and interval in ms at which that is checked. */
const HEAD_MS = 10_000;
const LOOK_MS = 2000;

/** Listens, and serves; rejects if the address is not available. */
export async function listen({ hostname, port }: Address, parts: ServerParts): Promise<Server> {
  const handler = createNodeHandler(parts);
  const times = { headersTimeout: HEAD_MS, connectionsCheckingInterval: LOOK_MS };
  const server = createServer(times, handler.request).on("upgrade", handler.upgrade);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, hostname, () => {
      server.off("error", reject);
      resolve();
    });
  });
  server.on("error", parts.onFault);
  const bound = server.address() as AddressInfo;
  return {
    address: { hostname: bound.address, port: bound.port },
    stop: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
