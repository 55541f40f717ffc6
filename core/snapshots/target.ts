/**
 * Finds the part of the tree that a snapshot is saved from or loaded to.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import { findChannel } from "../labels/channels.ts";
import type { State } from "../state.ts";
import { faderPath, findFader, mixerPath, processingPath } from "../tree/resources.ts";
import type { Path } from "../tree/tree.ts";
import type { SnapshotType } from "./snapshot.ts";

/** A target is a mixer, a fader or a flex processing; `mixer` is 0 where it is not given. */
export interface Target {
  readonly mixer?: number | undefined;
  readonly fader?: number | undefined;
  readonly fp?: number | undefined;
  /** The fader channel ID of a fader, instead of `mixer` and `fader`. */
  readonly sourceid?: number | undefined;
}

/**
 * Returns the path of the target of a snapshot of a type. Refused: a missing parameter that the
 * type needs (3), a mixer, fader or flex processing that is not configured (6).
 */
export function targetPath(
  state: State,
  type: SnapshotType,
  { mixer = 0, fader, fp, sourceid }: Target,
): Path | Refusal {
  if (type === 3) {
    return fp === undefined ? missing("fp", "processing") : processingPath(state, fp);
  }
  if (type === 2) return mixerPath(state, mixer);
  if (sourceid !== undefined) {
    const address = findChannel(state, sourceid);
    return isRefusal(address) ? address : faderPath(address);
  }
  const ofMixer = mixerPath(state, mixer);
  if (isRefusal(ofMixer)) return ofMixer;
  return fader === undefined ? missing("fader", "channel") : findFader(state, { mixer, fader });
}

function missing(parameter: string, kind: string): Refusal {
  const sentence = `expected an integer, for a ${kind} snapshot needs one; it is missing`;
  return refuse("invalidParameter", sentence, parameter);
}
