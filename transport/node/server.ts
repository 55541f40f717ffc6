/**
 * How Node serves HTTP and WebSockets, as `transport/deno/server.ts` does for Deno.
 *
 * @module
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Address, Server, ServerParts } from "../server.ts";
import { createNodeHandler } from "./handler.ts";

/** Listens, and serves; rejects where the address cannot be had. */
export async function listen({ hostname, port }: Address, parts: ServerParts): Promise<Server> {
  const handler = createNodeHandler(parts);
  const server = createServer(handler.request).on("upgrade", handler.upgrade);
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
