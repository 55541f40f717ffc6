/**
 * The server of the runtime that the tests run in; `tests/runtimes/` makes other runtimes know
 * `Deno.test`, and nothing else of Deno.
 *
 * @module
 */
import type { Address, Server, ServerParts } from "../transport/server.ts";

type Listen = (address: Address, parts: ServerParts) => Server | Promise<Server>;

/** Listens, and serves. A Worker cannot, so its tests bring what stands in. */
export const listen: Listen = (Deno as { readonly listenHere?: Listen }).listenHere ??
  ("serve" in Deno
    ? await import("../runtimes/deno/server.ts")
    : await import("../runtimes/node/server.ts")).listen;
