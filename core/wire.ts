/**
 * What both ends of the protocol have in common: the types of what is sent, and how paths and
 * patches are read. A client takes it from here, and nothing else of the core.
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
