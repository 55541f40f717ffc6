/**
 * The service of a console for Workers: as a whole in a Durable Object, and its handler. The page
 * docs/library.md has a Worker that runs, and lists its limitations.
 *
 * @module
 */
export {
  type ConsoleObject,
  consoleObject,
  type ConsoleObjectOptions,
  type ObjectContext,
} from "./console-object.ts";
export { openSqlLog, type SqlStorage } from "../../storage/sql-log.ts";
export { StorageError, type StorageFault } from "../../storage/storage-error.ts";
export { createWorkerHandler } from "./handler.ts";
export type { ServerParts } from "../../transport/server.ts";
