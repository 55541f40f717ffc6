/**
 * faderd as a library.
 *
 * @module
 */
export * from "./core/errors.ts";
export type * from "./core/ports.ts";
export type * from "./core/tree/patch.ts";
export * from "./fade/law.ts";
export { FADE_MAX, FADE_STEP, FADER_MAX, FADER_MIN } from "./fade/limits.ts";
export * from "./fade/plan.ts";
export * from "./fade/scheduler.ts";
