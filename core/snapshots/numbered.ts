/**
 * Snapshots by their `SnapshotID`, for the deprecated REST calls (decisions.md, "Identity and
 * numbers"): 1..65535 per type, and 0 for the default snapshot of a mixer.
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import type { State } from "../state.ts";
import { ALL_GROUPS } from "../users/groups.ts";
import { findSnapshot } from "./find.ts";
import { loadSnapshot } from "./loadsnapshot.ts";
import { writegroupsRefusal, writeRefusal } from "./rights.ts";
import { makeUuid, saveSnapshot } from "./savesnapshot.ts";
import { setSnapshot } from "./setsnapshot.ts";
import { DEFAULT_ID, type Snapshot } from "./snapshot.ts";
import type { VerifiedSnapshot } from "./snapshotdata.ts";
import type { Target } from "./target.ts";
import { writeSnapshot } from "./writesnapshot.ts";

/** A snapshot by its type and number: `type` 1 is a channel snapshot, 2 a mixer snapshot. */
export interface Numbered {
  readonly type: 1 | 2;
  readonly number: number;
}

/**
 * The mixer whose default snapshot is meant by the files of `SnapshotID` 0, which name no mixer.
 */
const MIXER_BY_DEFAULT = 0;

/**
 * Finds the snapshot of a number; 0 is the default snapshot of `mixer`. Refused: a number that no
 * snapshot has (6).
 */
export function findNumbered(
  state: State,
  { type, number }: Numbered,
  mixer = MIXER_BY_DEFAULT,
): Snapshot | Refusal {
  if (type === 2 && number === 0) return findSnapshot(state, DEFAULT_ID, mixer);
  return existing(state, { type, number }) ??
    refuse("noSuchObject", `there is no snapshot number ${number}`, "SnapshotID");
}

/** Loads the snapshot of a number: `loadmx`, `loadch`. Refuses what `loadSnapshot` refuses. */
export function loadNumbered(numbered: Numbered, target: Target): Command<Done> {
  return (state, actor, ports) => {
    const found = findNumbered(state, numbered, target.mixer);
    if (isRefusal(found)) return found;
    return loadSnapshot({ ...target, id: found.id })(state, actor, ports);
  };
}

/**
 * Writes the snapshot of a number: `savemx`, `savech`. A new snapshot belongs to the groups of the
 * user, and everyone may load it; an existing one keeps its groups. Refuses what `saveSnapshot`
 * refuses.
 */
export function saveNumbered(
  { type, number }: Numbered,
  target: Target,
  name: string | undefined,
): Command<Done> {
  return (state, actor, ports) => {
    const before = existing(state, { type, number });
    const what = before === undefined
      ? {
        id: type === 2 && number === 0 ? DEFAULT_ID : "",
        number,
        writegroups: actor.user?.groups ?? ALL_GROUPS,
        readgroups: 0,
      }
      : { id: before.id, writegroups: before.writegroups, readgroups: before.readgroups };
    return saveSnapshot({ ...target, ...what, type, name })(state, actor, ports);
  };
}

/**
 * Takes the content, name and groups of a snapshot file; the snapshot of that number keeps its own
 * UUID, and is made if absent: `uploadmxsnap`, `uploadchsnap`. Number 0 is the default snapshot of
 * mixer 0, whatever mixer the file is from, as it is for `downloadmxsnap`. Refused: a file of
 * another type (3), and what `setSnapshot` refuses.
 */
export function uploadNumbered({ type, number }: Numbered, given: VerifiedSnapshot): Command<Done> {
  return (state, actor, ports) => {
    if (given.type !== type) {
      const sentence = `expected a snapshot of type ${type}, got one of type ${given.type}`;
      return refuse("invalidParameter", sentence, "snapshotdata");
    }
    if (type === 2 && number === 0) {
      return setSnapshot({ ...given, id: DEFAULT_ID }, MIXER_BY_DEFAULT)(state, actor, ports);
    }
    const before = existing(state, { type, number });
    const refused = writeRefusal(before, actor);
    if (refused !== undefined) return refused;
    const taken = given.id === DEFAULT_ID || state.snapshots.has(given.id);
    const id = before?.id ?? (taken ? makeUuid(ports.random) : given.id);
    // A default snapshot belongs to no group. Filed under a number it belongs to the user's groups;
    // an admin may be in none.
    const writegroups = given.writegroups || actor.user?.groups || ALL_GROUPS;
    const beyond = before === undefined ? writegroupsRefusal(actor, writegroups) : undefined;
    if (beyond !== undefined) return beyond;
    return writeSnapshot(state, { ...given, id, number, writegroups, factory: false });
  };
}

function existing({ snapshots }: State, { type, number }: Numbered): Snapshot | undefined {
  const ofNumber = [...snapshots.values()].filter((snapshot) =>
    snapshot.type === type && snapshot.number === number && snapshot.id !== DEFAULT_ID
  );
  // A factory snapshot that a new configuration brings may have a number that is in use.
  return ofNumber.find(({ factory }) => !factory) ?? ofNumber[0];
}
