/**
 * The address of the module for NATS. No static import names that module, so only a hub that is
 * configured for NATS loads it and its packages. The bundle replaces this file by one with the
 * address of `hub-nats.js`.
 *
 * @module
 */

/** The address of the module. */
export const NATS_MODULE: string = new URL("../fleet/nats/open.ts", import.meta.url).href;
