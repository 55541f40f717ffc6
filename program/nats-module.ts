/**
 * The address of the module for NATS. No static import names it, so that only a hub that is
 * configured for NATS loads it, and its packages. The bundle has another file in its place.
 *
 * @module
 */

/** The address of the module. */
export const NATS_MODULE: string = new URL("../fleet/nats/open.ts", import.meta.url).href;
