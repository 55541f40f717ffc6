/**
 * Serves HTTP and WebSockets in Node, as `runtimes/deno/server.ts` does in Deno.
 *
 * @module
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "../../core/ports.ts";
import type { Address, Server, ServerParts } from "../../transport/server.ts";
import { createNodeHandler } from "./handler.ts";

/** Time in ms in which a complete head has to come, and interval in ms at which that is checked. */
const HEAD_MS = 10_000;
const LOOK_MS = 2000;

/**
 * Time in ms for which a stop waits for requests in progress. Node closes neither a connection that
 * has sent nothing yet, nor one in the middle of a head, and no longer checks the time of heads.
 */
const GRACE_MS = 2000;

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
    stop: () =>
      new Promise<void>((resolve) => {
        const cancel = after(parts.timer, GRACE_MS, () => server.closeAllConnections());
        server.close(() => {
          cancel();
          resolve();
        });
      }),
  };
}
