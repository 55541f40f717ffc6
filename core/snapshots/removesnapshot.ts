/**
 * Carries out the RPC `removesnapshot` (service.md, "RPC methods").
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { isRefusal } from "../errors.ts";
import { findSnapshot } from "./find.ts";
import { changeRefusal, defaultRefusal } from "./rights.ts";

/**
 * Removes a snapshot. Refused: default and factory snapshots (7), an unknown id (6), an actor
 * without the right (4 or 5).
 */
export function removeSnapshot(id: string): Command<Done> {
  return (state, actor) => {
    const fixed = defaultRefusal(id);
    if (fixed !== undefined) return fixed;
    const snapshot = findSnapshot(state, id);
    if (isRefusal(snapshot)) return snapshot;
    return changeRefusal(snapshot, actor) ?? {
      events: [{ type: "snapshotremoved", id: snapshot.id }],
      result: {},
    };
  };
}
