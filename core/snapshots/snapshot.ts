/**
 * Snapshots: what one is, and how the collection changes (service.md, "RPC resources"; decisions.md,
 * "RPC").
 *
 * @module
 */
import type { Branch } from "../tree/patch.ts";

/** 1 channel processing and routing, 2 the whole state of a mixer, 3 flex processing parameters. */
export type SnapshotType = 1 | 2 | 3;

/** The id that stands for snapshot 0 of a mixer in every snapshot RPC. */
export const DEFAULT_ID = "default";

/** One snapshot. It is never altered; a change makes another. */
export interface Snapshot {
  /** UUID v4 in lower case, or "default". */
  readonly id: string;
  /** The `SnapshotID` of the deprecated REST calls, unique per type; 0 for a default snapshot. */
  readonly number: number;
  readonly type: SnapshotType;
  readonly name: string;
  /** Bitmask of the groups that may load it; 0 is everyone. */
  readonly readgroups: number;
  /** Bitmask of the groups that may load and modify it. */
  readonly writegroups: number;
  /** Type 2: the mixer it was saved from. */
  readonly mixer?: number;
  /** Predefined: it cannot be modified or overwritten. */
  readonly factory: boolean;
  /**
   * The writable part of a fader, a mixer or a flex processing, as JSON, the same text for the same
   * content. A thousand snapshots as objects would make the collection of garbage take longer than a
   * fade may wait.
   */
  readonly content: string;
}

/** The content of a snapshot, to be looked into. */
export function contentOf({ content }: Snapshot): Branch {
  return JSON.parse(content);
}

/** A snapshot was made, or the one with its id replaced. */
export interface SnapshotWritten {
  readonly type: "snapshotwritten";
  readonly snapshot: Snapshot;
}

/** The attributes of a snapshot were changed, not its content. */
export interface SnapshotModified {
  readonly type: "snapshotmodified";
  readonly id: string;
  readonly name: string;
  readonly readgroups: number;
  readonly writegroups: number;
}

/** A snapshot was removed. */
export interface SnapshotRemoved {
  readonly type: "snapshotremoved";
  readonly id: string;
}

/** All snapshots in order of creation, factory ones first; default ones under `default/{mixer}`. */
export type Snapshots = ReadonlyMap<string, Snapshot>;

/** Where a snapshot stands in the collection. */
export function snapshotKey({ id, mixer }: Pick<Snapshot, "id" | "mixer">): string {
  return id === DEFAULT_ID ? `${DEFAULT_ID}/${mixer}` : id;
}

/** The snapshots after an event. */
export function reduceSnapshots(
  snapshots: Snapshots,
  event: SnapshotWritten | SnapshotModified | SnapshotRemoved,
): Snapshots {
  const next = new Map(snapshots);
  if (event.type === "snapshotwritten") next.set(snapshotKey(event.snapshot), event.snapshot);
  else if (event.type === "snapshotremoved") next.delete(event.id);
  else {
    const { id, name, readgroups, writegroups } = event;
    const before = next.get(id);
    if (before !== undefined) next.set(id, { ...before, name, readgroups, writegroups });
  }
  return next;
}

/** The decision that a snapshot is made, or the one with its id replaced. */
export function written(snapshot: Snapshot): {
  readonly events: readonly [SnapshotWritten];
  readonly result: Record<string, never>;
} {
  return { events: [{ type: "snapshotwritten", snapshot }], result: {} };
}
