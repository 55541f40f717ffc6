/**
 * The RPC `getsnapshot` (service.md, "RPC methods").
 *
 * @module
 */
import type { Pacer } from "../ports.ts";
import { isRefusal, type Refusal } from "../errors.ts";
import type { State } from "../state.ts";
import type { Actor } from "../users/user.ts";
import { findSnapshot } from "./find.ts";
import { loadRefusal } from "./rights.ts";
import type { Snapshot } from "./snapshot.ts";
import {
  foreseeSealed,
  sealSnapshot,
  type SnapshotData,
  snapshotKeyOfSite,
} from "./snapshotdata.ts";

/** A snapshot; `mixer` goes with "default". */
export interface WhichSnapshot {
  readonly id: string;
  readonly mixer?: number | undefined;
}

/**
 * Hands out a snapshot, to be given back unchanged to `setsnapshot`.
 * Refused: an unknown id (6), no right to load it (4 or 5).
 */
export function getSnapshot(
  state: State,
  which: WhichSnapshot,
  actor: Actor,
): { readonly snapshotdata: SnapshotData } | Refusal {
  const snapshot = readable(state, which, actor);
  return isRefusal(snapshot) ? snapshot : { snapshotdata: sealSnapshot(snapshot, keyOf(state)) };
}

/** The same in several turns of the event loop, for a mixer's snapshot is large. */
export async function getSnapshotInTurns(
  state: State,
  which: WhichSnapshot,
  actor: Actor,
  pacer: Pacer,
): Promise<{ readonly snapshotdata: SnapshotData } | Refusal> {
  const snapshot = readable(state, which, actor);
  if (isRefusal(snapshot)) return snapshot;
  const key = keyOf(state);
  await foreseeSealed(snapshot, key, pacer);
  return { snapshotdata: sealSnapshot(snapshot, key) };
}

function keyOf({ configuration }: State): Uint8Array {
  return snapshotKeyOfSite(configuration.siteKey);
}

function readable(state: State, { id, mixer }: WhichSnapshot, actor: Actor): Snapshot | Refusal {
  const snapshot = findSnapshot(state, id, mixer);
  return isRefusal(snapshot) ? snapshot : loadRefusal(snapshot, actor) ?? snapshot;
}
