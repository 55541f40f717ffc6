/**
 * Preloaded before the tests of a service, this puts a hub in the way: `deno task
 * conformance-through-hub` shows by it that clients need not know of a hub.
 *
 * @module
 */
import type { Address, Server, ServerParts } from "../../transport/server.ts";

// The tests choose their server when they are loaded, so nothing is loaded before.
Object.assign(Deno, {
  async listenHere(address: Address, parts: ServerParts): Promise<Server> {
    const { listenThroughHub } = await import("./hub-between.ts");
    return await listenThroughHub(address, parts);
  },
});
