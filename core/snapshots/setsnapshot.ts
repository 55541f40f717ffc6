/**
 * Carries out the RPC `setsnapshot` (service.md, "RPC methods").
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { isRefusal, type Refusal } from "../errors.ts";
import type { CooperativeScheduler } from "../ports.ts";
import { siteKeyOf } from "../site-key.ts";
import type { State } from "../state.ts";
import { mixerPath } from "../tree/resources.ts";
import { defaultSnapshot } from "./find.ts";
import { createRefusal, writegroupsRefusal, writeRefusal } from "./rights.ts";
import { freeNumber } from "./savesnapshot.ts";
import { DEFAULT_ID } from "./snapshot.ts";
import { macOfSite, type VerifiedSnapshot, verifySnapshotData } from "./snapshotdata.ts";
import { writeSnapshot } from "./writesnapshot.ts";

/**
 * Returns the snapshot in `snapshotdata`, verified, for {@link setSnapshot}. Refused: data that was
 * not made by `getsnapshot` on a console with the same site key (10), and members with values that
 * no console gives them (3).
 */
export async function verifySnapshot(
  state: State,
  snapshotdata: unknown,
  scheduler: CooperativeScheduler,
): Promise<VerifiedSnapshot | Refusal> {
  return await verifySnapshotData(snapshotdata, await macOfSite(siteKeyOf(state)), scheduler);
}

/**
 * Takes a snapshot from this or another console: adds it, or replaces the snapshot with the same
 * UUID. A default snapshot becomes the default snapshot of `mixer`. Refused: an unknown mixer (6),
 * a factory snapshot (7), an actor without the right (4 or 5), a snapshot over the limits (11).
 */
export function setSnapshot(
  given: VerifiedSnapshot,
  mixer = 0,
): Command<Done> {
  return (state, actor) => {
    if (given.id === DEFAULT_ID) {
      const path = mixerPath(state, mixer);
      if (isRefusal(path)) return path;
      return createRefusal(actor) ?? writeSnapshot(state, defaultSnapshot(mixer, given.content));
    }
    const before = state.snapshots.get(given.id);
    const refused = writeRefusal(before, actor) ??
      (before === undefined ? writegroupsRefusal(actor, given.writegroups) : undefined);
    if (refused !== undefined) return refused;
    const number = before?.type === given.type ? before.number : freeNumber(state, given.type);
    if (typeof number !== "number") return number;
    return writeSnapshot(state, { ...given, number, factory: false });
  };
}
