/**
 * The snapshots of each tag of a backup.
 *
 * @module
 */
import { DEFAULT_ID, type Snapshot, type Snapshots } from "../snapshots/snapshot.ts";
import type { Tag } from "./tags.ts";

/** A tag that stands for snapshots. */
export type SnapshotTag = Extract<Tag, "MXSNAPS" | "CHSNAPS" | "SNAPZERO">;

/** Says whether a tag stands for snapshots. */
export function isSnapshotTag(tag: Tag): tag is SnapshotTag {
  return tag === "MXSNAPS" || tag === "CHSNAPS" || tag === "SNAPZERO";
}

/** Returns the tag that contains a snapshot; undefined for a factory snapshot. */
export function snapshotTagOf(
  { id, type, factory }: Pick<Snapshot, "id" | "type" | "factory">,
): SnapshotTag | undefined {
  if (factory) return undefined;
  if (id === DEFAULT_ID) return "SNAPZERO";
  return type === 2 ? "MXSNAPS" : "CHSNAPS";
}

/** Returns the snapshots of a tag, in their order. */
export function snapshotsOf(snapshots: Snapshots, tag: SnapshotTag): Snapshot[] {
  return [...snapshots.values()].filter((snapshot) => snapshotTagOf(snapshot) === tag);
}
