/**
 * The server of the runtime that the tests run in. In other runtimes `tests/runtimes/` defines
 * `Deno.test`, and no other API of Deno.
 *
 * @module
 */
import type { Address, Server, ServerParts } from "../transport/server.ts";

type Listen = (address: Address, parts: ServerParts) => Server | Promise<Server>;

/** Listens, and serves. A Worker cannot listen, so its tests define a substitute. */
export const listen: Listen = (Deno as { readonly listenHere?: Listen }).listenHere ??
  ("serve" in Deno
    ? await import("../runtimes/deno/server.ts")
    : await import("../runtimes/node/server.ts")).listen;
