/**
 * Snapshots, and the collection of a console (service.md, "RPC resources"; decisions.md, "RPC").
 *
 * @module
 */
import type { Branch } from "../tree/tree.ts";

/**
 * Type 1 holds the processing and routing of a channel, 2 the whole state of a mixer, 3 the
 * parameters of a flex processing.
 */
export type SnapshotType = 1 | 2 | 3;

/** In every snapshot RPC this id stands for snapshot 0 of a mixer. */
export const DEFAULT_ID = "default";

/**
 * In `loadsnapshot` and `savesnapshot` this id stands for the snapshot of the given name: a
 * snapshot may have the same name on many consoles, but another UUID on each of them.
 */
export const NAMED_ID = "named";

/** A snapshot is never altered; a change makes another one. */
export interface Snapshot {
  /** A UUID v4 in lower case, or "default". */
  readonly id: string;
  /**
   * The `SnapshotID` of the deprecated REST calls, unique for each type; that of a default snapshot
   * is 0.
   */
  readonly number: number;
  readonly type: SnapshotType;
  readonly name: string;
  /** The groups that may load it, as a bitmask; 0 stands for everyone. */
  readonly readgroups: number;
  /** The groups that may load and modify it, as a bitmask. */
  readonly writegroups: number;
  /** The mixer that it was saved from; only type 2 has one. */
  readonly mixer?: number;
  /** Whether it is predefined, so that it cannot be modified or overwritten. */
  readonly factory: boolean;
  /**
   * The writable part of a fader, a mixer or a flex processing, as canonical JSON. As objects, a
   * thousand snapshots of 32 KiB take 50 MB more, and garbage collection delays faders by 16 ms
   * instead of 8 (the console of `deno task bench backup`).
   */
  readonly content: string;
}

/** Parses the content of a snapshot. */
export function contentOf({ content }: Snapshot): Branch {
  return JSON.parse(content);
}

/**
 * All snapshots by their id, in order of creation, factory ones first; default ones have the key
 * `default/{mixer}`.
 */
export type Snapshots = ReadonlyMap<string, Snapshot>;

/** Returns the key of a snapshot among all. */
export function snapshotKey({ id, mixer }: Pick<Snapshot, "id" | "mixer">): string {
  return id === DEFAULT_ID ? `${DEFAULT_ID}/${mixer}` : id;
}
