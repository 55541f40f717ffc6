/**
 * Carries out the RPC `loadsnapshot` (service.md, "RPC methods").
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import { withUnsyncedFaders } from "../fades/unsynced.ts";
import { withOwnChannels } from "../labels/channels.ts";
import { shown } from "../shown.ts";
import type { State } from "../state.ts";
import { fitContent } from "../tree/fit.ts";
import type { Ranges } from "../tree/leaf.ts";
import { type Branch, find, nest, type Patch, type Path } from "../tree/tree.ts";
import { durableChange } from "../tree/treechanged.ts";
import { findNamed, findSnapshot } from "./find.ts";
import { loadRefusal } from "./rights.ts";
import { contentOf, NAMED_ID, type Snapshot, type SnapshotType } from "./snapshot.ts";
import { type Target, targetPath } from "./target.ts";

/** The snapshot to load, and its target. */
export interface LoadSnapshot extends Target {
  /** Its UUID; "default" for snapshot 0 of the mixer; "named" for the snapshot of that `name`. */
  readonly id: string;
  readonly name?: string | undefined;
  /** The type that the caller expects; a snapshot of another type is refused. */
  readonly type?: SnapshotType | undefined;
}

/**
 * Loads a snapshot to a mixer, fader or flex processing, including the channels that its faders
 * carry. Values without a place in the target are skipped, and values that the snapshot lacks stay.
 * Refused: an unknown snapshot or target (6), a snapshot of another type (3), an actor without the
 * right to load it (4 or 5).
 */
export function loadSnapshot(params: LoadSnapshot): Command<Done> {
  return (state, actor) => {
    const snapshot = meant(state, params);
    if (isRefusal(snapshot)) return snapshot;
    if (params.type !== undefined && params.type !== snapshot.type) {
      const sentence = `expected ${snapshot.type}, that of the snapshot, got ${params.type}`;
      return refuse("invalidParameter", sentence, "type");
    }
    const refused = loadRefusal(snapshot, actor);
    if (refused !== undefined) return refused;
    const path = targetPath(state, snapshot.type, params);
    if (isRefusal(path)) return path;
    const content = snapshot.type === 3
      ? contentOf(snapshot)
      : withOwnChannels(state, path[2]!, contentOf(snapshot));
    const written = nest(path, content as unknown as Patch) as Patch;
    const differing = loadPatch(state, snapshot, path, content);
    const patch = withUnsyncedFaders(state.unsynced, written, differing);
    return { events: durableChange(state, patch, written), result: {}, subject: snapshot.name };
  };
}

function meant(state: State, { id, name, type, mixer = 0 }: LoadSnapshot): Snapshot | Refusal {
  if (id !== NAMED_ID) return findSnapshot(state, id, mixer);
  // A mixer has its own snapshot of a name, or can load the only one of another mixer.
  return findNamed(state, name, type, mixer) ?? findNamed(state, name, type) ??
    refuse("noSuchObject", `there is no snapshot called ${shown(name)}`, "name");
}

/**
 * Returns the patch of a load, nested from the root, including the name and the id of the snapshot;
 * undefined if nothing changes.
 */
function loadPatch(
  { tree, ranges }: State,
  { id, name }: Snapshot,
  path: Path,
  content: Branch,
): Patch | undefined {
  const node = find(tree, path) as Branch;
  const values = fitContent(node, find(ranges as Branch, path) as Ranges, content);
  const loaded = Object.entries({ _lastloadedsnap: name, _lastloadedsnapid: id })
    .filter(([member, value]) => node[member] !== undefined && node[member] !== value);
  const all = { ...values, ...Object.fromEntries(loaded) };
  return Object.keys(all).length === 0 ? undefined : nest(path, all) as Patch;
}
