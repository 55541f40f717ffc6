/**
 * What is loaded of the mixer page behind its first picture.
 *
 * @module
 */
export { assigned } from "./assigned.ts";
export { GroupBar } from "./bar.tsx";
export { Cover } from "./cover.tsx";
export { ChannelLook, LookChoice } from "./look.tsx";
export { mutedBy, nameOf } from "./names.ts";
