/**
 * Finding snapshots and the mixers, faders and processings that they are of.
 *
 * @module
 */
import type { Ranges } from "../tree/leaf.ts";
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import { shown } from "../shown.ts";
import { findChannel } from "../labels/channels.ts";
import type { State } from "../state.ts";
import { writablePart } from "../tree/fit.ts";
import { type Branch, find, isBranch, type Path } from "../tree/tree.ts";
import { DEFAULT_ID, type Snapshot, snapshotKey, type SnapshotType } from "./snapshot.ts";

/** The name of a default snapshot. */
export const DEFAULT_NAME = "default";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What a snapshot is taken from and loaded to; `mixer` is 0 where it is not given. */
export interface Target {
  readonly mixer?: number | undefined;
  readonly fader?: number | undefined;
  readonly fp?: number | undefined;
  /** A fader channel ID, in the place of `mixer` and `fader`. */
  readonly sourceid?: number | undefined;
}

/** The snapshot of an id; for "default" that of the mixer, as it was configured if never saved. */
export function findSnapshot(state: State, id: string, mixer = 0): Snapshot | Refusal {
  if (id !== DEFAULT_ID) {
    const found = UUID.test(id) ? state.snapshots.get(id.toLowerCase()) : undefined;
    return found ?? refuse("noSuchObject", `there is no snapshot ${shown(id)}`, "id");
  }
  const path = targetPath(state, 2, { mixer });
  if (isRefusal(path)) return path;
  const saved = state.snapshots.get(snapshotKey({ id, mixer }));
  // Logs and backups of 0.1 may have it under the name that it had then.
  if (saved?.name === DEFAULT_NAME) return saved;
  return defaultSnapshot(mixer, saved?.content ?? contentAt(state, state.initial, path));
}

/** A default snapshot, snapshot 0 of a mixer: everyone may load it, nobody may modify it. */
export function defaultSnapshot(mixer: number, content: string): Snapshot {
  return {
    id: DEFAULT_ID,
    number: 0,
    type: 2,
    name: DEFAULT_NAME,
    readgroups: 0,
    writegroups: 0,
    mixer,
    factory: false,
    content,
  };
}

/** What a snapshot of `type` would hold if it were taken of the tree at `path` now. */
export function contentAt({ ranges }: State, tree: Branch, path: Path): string {
  const range = find(ranges as Branch, path) as Ranges;
  return JSON.stringify(writablePart(find(tree, path) as Branch, range));
}

/**
 * The path of what a snapshot of a type is of. Refused: a parameter that the type needs and is not
 * given (3), a mixer, fader or flex processing that is not configured (6).
 */
export function targetPath(state: State, type: SnapshotType, target: Target): Path | Refusal {
  if (type === 1 && target.sourceid !== undefined) {
    const address = findChannel(state, target.sourceid);
    return isRefusal(address) ? address : targetPath(state, 1, address);
  }
  const { mixer = 0, fader, fp } = target;
  if (type === 3) {
    if (fp === undefined) return missing("fp", "processing");
    return existing(
      state,
      ["audio", "flexprocessings", String(fp)],
      `there is no processing ${fp}`,
      "fp",
    );
  }
  const mixerPath = ["audio", "mixers", String(mixer)];
  const path = existing(state, mixerPath, `there is no mixer ${mixer}`, "mixer");
  if (isRefusal(path) || type === 2) return path;
  if (fader === undefined) return missing("fader", "channel");
  const faderPath = [...mixerPath, "faders", String(fader)];
  return existing(state, faderPath, `mixer ${mixer} has no fader ${fader}`, "fader");
}

function missing(parameter: string, kind: string): Refusal {
  const sentence = `expected an integer, for a ${kind} snapshot needs one; it is missing`;
  return refuse("invalidParameter", sentence, parameter);
}

function existing(
  { tree }: State,
  path: Path,
  sentence: string,
  parameter: string,
): Path | Refusal {
  return isBranch(find(tree, path)) ? path : refuse("noSuchObject", sentence, parameter);
}
