/**
 * The service of a console for Node, without Deno: a complete service for tests, and a handler for
 * a server of `node:http`.
 *
 * @module
 */
export { connect } from "./connect.ts";
export { RequestError } from "../../client/request-error.ts";
export { type RunningConsole, startConsole, type StartOptions } from "./start-console.ts";
export { createNodeHandler, type NodeHandler } from "./handler.ts";
export { listen } from "./server.ts";
export { StorageError, type StorageFault } from "../../storage/storage-error.ts";
export type { Address, Server, ServerParts } from "../../transport/server.ts";
