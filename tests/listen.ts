/**
 * The server of the runtime that the tests run in; `tests/runtimes/run-tests.ts` makes other runtimes
 * know `Deno.test`, and nothing else of Deno.
 *
 * @module
 */
export const { listen } = "serve" in Deno
  ? await import("../transport/deno/server.ts")
  : await import("../transport/node/server.ts");
