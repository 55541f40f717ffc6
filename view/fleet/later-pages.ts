/**
 * The pages of a hub that are loaded when one of them is opened.
 *
 * @module
 */
export { Audit } from "./audit.tsx";
export { Backups } from "./backups.tsx";
export { Do } from "./do.tsx";
export { Drift } from "./drift.tsx";
export { Hubs } from "./hubs.tsx";
export { Users } from "./users.tsx";
