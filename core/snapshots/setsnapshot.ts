/**
 * The RPC `setsnapshot` (service.md, "RPC methods").
 *
 * @module
 */
import { written } from "./snapshotwritten.ts";
import type { Pacer } from "../ports.ts";
import type { Command, Done } from "../command.ts";
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import type { State } from "../state.ts";
import { defaultSnapshot } from "./find.ts";
import { mixerPath } from "../tree/resources.ts";
import { createRefusal, writeRefusal } from "./rights.ts";
import { freeNumber } from "./savesnapshot.ts";
import { DEFAULT_ID, type Snapshot } from "./snapshot.ts";
import { foreseeOpened, keptContent, openSnapshotData, snapshotKeyOfSite } from "./snapshotdata.ts";

/**
 * Takes a snapshot from this or another console: adds it, or replaces the one of its UUID. A default
 * one becomes that of `mixer`. Refused: anything but what `getsnapshot` gave under the same site key
 * (10), an unknown mixer (6), a factory snapshot (7), no right (4 or 5), no number left (11).
 */
export function setSnapshot(
  data: unknown,
  mixer = 0,
): Command<Done> {
  return (state, actor) => {
    const given = openOrRefuse(state, data);
    if (isRefusal(given)) return given;
    if (given.id === DEFAULT_ID) {
      const path = mixerPath(state, mixer);
      if (isRefusal(path)) return path;
      return createRefusal(actor) ?? written(defaultSnapshot(mixer, given.content));
    }
    const before = state.snapshots.get(given.id);
    const refused = writeRefusal(before, actor);
    if (refused !== undefined) return refused;
    const number = before?.type === given.type ? before.number : freeNumber(state, given.type);
    if (typeof number !== "number") return number;
    return written({ ...given, number, factory: false });
  };
}

/** What `snapshotdata` tells of a snapshot. */
type Opened = Omit<Snapshot, "number" | "factory">;

/**
 * Works out ahead, in several turns of the event loop, whether `data` is genuine: what `setSnapshot`
 * then need not. Nobody may alter `data` from now on.
 */
export function foreseeSet(
  state: State,
  data: unknown,
  pacer: Pacer,
): Promise<void> {
  return foreseeOpened(data, snapshotKeyOfSite(state.configuration.siteKey), pacer);
}

/** The snapshot that `snapshotdata` holds; refused (10) where that was altered. */
export function openOrRefuse(state: State, data: unknown): Opened | Refusal {
  const opened = openSnapshotData(data, snapshotKeyOfSite(state.configuration.siteKey));
  if (opened === undefined) {
    const reason = "it was altered, or comes from a console with another site key";
    return refuse("alteredSnapshotData", reason, "snapshotdata");
  }
  const { mac: _, ...given } = opened;
  return { ...given, content: keptContent(opened) };
}
