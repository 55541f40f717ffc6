/**
 * faderd as a library.
 *
 * @module
 */
export * from "./core/errors.ts";
export type * from "./core/ports.ts";
export type * from "./core/tree/patch.ts";
