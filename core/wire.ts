/**
 * The parts of the core that both ends of the protocol use: the types of messages, and functions
 * for paths and patches. A client imports nothing else of the core.
 *
 * @module
 */
export type { Refusal } from "./errors.ts";
export type { Ranges } from "./tree/leaf.ts";
export {
  type Branch,
  formatPath,
  isBranch,
  merge,
  parsePath,
  type Patch,
  type Path,
} from "./tree/tree.ts";
