/**
 * Snapshots: what one is, and how the collection changes (service.md, "RPC resources"; decisions.md,
 * "RPC").
 *
 * @module
 */
import type { Branch } from "../tree/tree.ts";

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

/** All snapshots in order of creation, factory ones first; default ones under `default/{mixer}`. */
export type Snapshots = ReadonlyMap<string, Snapshot>;

/** Where a snapshot stands in the collection. */
export function snapshotKey({ id, mixer }: Pick<Snapshot, "id" | "mixer">): string {
  return id === DEFAULT_ID ? `${DEFAULT_ID}/${mixer}` : id;
}
