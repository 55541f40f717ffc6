/**
 * Finds snapshots by their id.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import { shown } from "../shown.ts";
import type { State } from "../state.ts";
import { writablePart } from "../tree/fit.ts";
import type { Ranges } from "../tree/leaf.ts";
import { mixerPath } from "../tree/resources.ts";
import { type Branch, find, type Path } from "../tree/tree.ts";
import { canonicalJson } from "../json.ts";
import { DEFAULT_ID, NAMED_ID, type Snapshot, snapshotKey, type SnapshotType } from "./snapshot.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Finds the snapshot of an id. "default" is the default snapshot of the mixer, which holds the
 * configured values until it is first saved. Refused (6): an unknown id, and an unknown mixer.
 */
export function findSnapshot(state: State, id: string, mixer = 0): Snapshot | Refusal {
  if (id !== DEFAULT_ID) {
    const found = UUID.test(id) ? state.snapshots.get(id.toLowerCase()) : undefined;
    return found ?? refuse("noSuchObject", `there is no snapshot ${shown(id)}`, "id");
  }
  const path = mixerPath(state, mixer);
  if (isRefusal(path)) return path;
  return state.snapshots.get(snapshotKey({ id, mixer })) ??
    defaultSnapshot(mixer, contentAt(state, state.initial, path));
}

/**
 * Finds the only snapshot of a name, and of a type if given; undefined if there is none. If a mixer
 * is given, the snapshots of other mixers are left out. Refused (3): an absent or empty name, and a
 * name that several snapshots have.
 */
export function findNamed(
  { snapshots }: State,
  name: string | undefined,
  type?: SnapshotType,
  mixer?: number,
): Snapshot | Refusal | undefined {
  if (name === undefined || name === "") {
    return refuse(
      "invalidParameter",
      `expected the name of a snapshot, for id "${NAMED_ID}"`,
      "name",
    );
  }
  const found = [...snapshots.values()].filter((snapshot) =>
    snapshot.name === name && snapshot.id !== DEFAULT_ID &&
    (type === undefined || snapshot.type === type) &&
    (mixer === undefined || (snapshot.mixer ?? mixer) === mixer)
  );
  if (found.length < 2) return found[0];
  const sentence = `${found.length} snapshots are called ${shown(name)}: expected the id of one`;
  return refuse("invalidParameter", sentence, "name");
}

/** Makes a default snapshot, snapshot 0 of a mixer: everyone may load it, nobody may modify it. */
export function defaultSnapshot(mixer: number, content: string): Snapshot {
  return {
    id: DEFAULT_ID,
    number: 0,
    type: 2,
    name: DEFAULT_ID,
    readgroups: 0,
    writegroups: 0,
    mixer,
    factory: false,
    content,
  };
}

/** Returns the content of a snapshot of the tree at `path`. */
export function contentAt({ ranges }: State, tree: Branch, path: Path): string {
  const range = find(ranges as Branch, path) as Ranges;
  return canonicalJson(writablePart(find(tree, path) as Branch, range));
}
