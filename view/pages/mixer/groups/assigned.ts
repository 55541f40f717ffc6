/**
 * The group whose members are assigned now.
 *
 * @module
 */
import { signal } from "@preact/signals";
import type { Group } from "./document.ts";

/** The group to which a touched strip is added, or from which it is taken; usually none. */
export const assigned = signal<Group | undefined>(undefined);
