/**
 * The part of the mixer page that is loaded after its first rendering: the names and the members of
 * groups, and the signs of channels.
 *
 * @module
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import { loadStyles } from "../later-styles.ts";

type GroupsPart = typeof import("./groups/groups.tsx");

const loaded = signal<GroupsPart | undefined>();

/** The part, once it is loaded. Without it mute groups have only their numbers. */
export const groupsPart: ReadonlySignal<GroupsPart | undefined> = loaded;

/** Loads the part, unless that was done. */
export async function loadGroups(): Promise<void> {
  const [part] = await Promise.all([import("./groups/groups.tsx"), loadStyles()]).catch(() => []);
  loaded.value = part;
}
