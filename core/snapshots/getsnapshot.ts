/**
 * Carries out the RPC `getsnapshot` (service.md, "RPC methods").
 *
 * @module
 */
import { isRefusal, type Refusal } from "../errors.ts";
import { siteKeyOf } from "../site-key.ts";
import type { State } from "../state.ts";
import type { Actor } from "../users/user.ts";
import { findSnapshot } from "./find.ts";
import { loadRefusal } from "./rights.ts";
import { macOfSite, sealSnapshot, type SnapshotData } from "./snapshotdata.ts";

/** The id of a snapshot; `mixer` applies only to "default". */
export interface WhichSnapshot {
  readonly id: string;
  readonly mixer?: number | undefined;
}

/**
 * Hands out a snapshot, to be given back unchanged to `setsnapshot`.
 * Refused: an unknown id (6), no right to load it (4 or 5).
 */
export async function getSnapshot(
  state: State,
  { id, mixer }: WhichSnapshot,
  actor: Actor,
): Promise<{ readonly snapshotdata: SnapshotData } | Refusal> {
  const snapshot = findSnapshot(state, id, mixer);
  if (isRefusal(snapshot)) return snapshot;
  const refusal = loadRefusal(snapshot, actor);
  if (refusal !== undefined) return refusal;
  const macOf = await macOfSite(siteKeyOf(state));
  return { snapshotdata: await sealSnapshot(snapshot, macOf) };
}
