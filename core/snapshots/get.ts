/**
 * The RPC `getsnapshot` (service.md, "RPC methods").
 *
 * @module
 */
import { isRefusal, type Refusal } from "../errors.ts";
import type { State } from "../state.ts";
import type { Actor } from "../users/user.ts";
import { findSnapshot } from "./find.ts";
import { loadRefusal } from "./rights.ts";
import { sealSnapshot, type SnapshotData, snapshotKeyOfSite } from "./snapshotdata.ts";

/**
 * Hands out a snapshot, to be given back unchanged to `setsnapshot`. `mixer` goes with "default".
 * Refused: an unknown id (6), no right to load it (4 or 5).
 */
export function getSnapshot(
  state: State,
  { id, mixer }: { readonly id: string; readonly mixer?: number | undefined },
  actor: Actor,
): { readonly snapshotdata: SnapshotData } | Refusal {
  const snapshot = findSnapshot(state, id, mixer);
  if (isRefusal(snapshot)) return snapshot;
  const refused = loadRefusal(snapshot, actor);
  if (refused !== undefined) return refused;
  const key = snapshotKeyOfSite(state.configuration.siteKey);
  return { snapshotdata: sealSnapshot(snapshot, key) };
}
