/**
 * Carries out the RPC `modifysnapshot` (service.md, "RPC methods").
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { isRefusal } from "../errors.ts";
import { findSnapshot } from "./find.ts";
import { changeRefusal, defaultRefusal, writegroupsRefusal } from "./rights.ts";

/** The attributes to change; absent attributes stay. */
export interface ModifySnapshot {
  readonly id: string;
  readonly name?: string | undefined;
  readonly writegroups?: number | undefined;
  readonly readgroups?: number | undefined;
}

/**
 * Changes attributes of a snapshot, not its content. Refused: default and factory snapshots (7), an
 * unknown id (6), an actor without the right (4 or 5).
 */
export function modifySnapshot(params: ModifySnapshot): Command<Done> {
  return (state, actor) => {
    const fixed = defaultRefusal(params.id);
    if (fixed !== undefined) return fixed;
    const snapshot = findSnapshot(state, params.id);
    if (isRefusal(snapshot)) return snapshot;
    const { name = snapshot.name } = params;
    const { writegroups = snapshot.writegroups, readgroups = snapshot.readgroups } = params;
    const refused = changeRefusal(snapshot, actor) ?? writegroupsRefusal(actor, writegroups);
    if (refused !== undefined) return refused;
    const same = name === snapshot.name && writegroups === snapshot.writegroups &&
      readgroups === snapshot.readgroups;
    const { id } = snapshot;
    const modified = { type: "snapshotmodified", id, name, writegroups, readgroups } as const;
    return { events: same ? [] : [modified], result: {} };
  };
}
