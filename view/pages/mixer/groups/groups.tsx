/**
 * The part of the mixer page that is loaded after its first rendering.
 *
 * @module
 */
export { assigned } from "./assigned.ts";
export { GroupBar } from "./bar.tsx";
export { Cover } from "./cover.tsx";
export { ChannelLook, LookChoice } from "./look.tsx";
export { mutedBy, nameOf } from "./names.ts";
