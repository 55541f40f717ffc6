/**
 * Finds the paths of resources that calls name by number (mixers, faders, flex processings), and
 * refuses unknown ones.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import { type Branch, find, formatPath, isBranch, type Path } from "./tree.ts";

/** An object with a control tree, such as a state. */
interface HasTree {
  readonly tree: Branch;
}

/** A fader is known by its mixer and its number in that mixer. */
export interface FaderAddress {
  readonly mixer: number;
  readonly fader: number;
}

/** Returns the path of a mixer; refuses (6) a mixer that is not configured. */
export function mixerPath(state: HasTree, mixer: number): Path | Refusal {
  const path = ["audio", "mixers", String(mixer)];
  return existingPath(state, path, `there is no mixer ${mixer}`, "mixer");
}

/** Returns the path of a fader that is known to exist. */
export function faderPath({ mixer, fader }: FaderAddress): Path {
  return ["audio", "mixers", String(mixer), "faders", String(fader)];
}

/** Returns the path of a fader; refuses (6) where it or its mixer is not configured. */
export function findFader(state: HasTree, address: FaderAddress): Path | Refusal {
  const { mixer, fader } = address;
  const above = mixerPath(state, mixer);
  return isRefusal(above)
    ? above
    : existingPath(state, faderPath(address), `mixer ${mixer} has no fader ${fader}`, "fader");
}

/** Returns the path of a flex processing; refuses (6) a processing that is not configured. */
export function processingPath(state: HasTree, fp: number): Path | Refusal {
  const path = ["audio", "flexprocessings", String(fp)];
  return existingPath(state, path, `there is no processing ${fp}`, "fp");
}

/**
 * Returns the path of a branch of the tree; if there is no such branch, refuses (6) the parameter
 * that named it.
 */
export function existingPath(
  { tree }: HasTree,
  path: Path,
  sentence: string,
  parameter: string,
): Path | Refusal {
  return isBranch(find(tree, path)) ? path : refuse("noSuchObject", sentence, parameter);
}

/** Maximum number of characters of an unknown path in a message. */
const SHOWN_PATH = 120;

/** Refuses (6) a path that is not in the tree. */
export function noSuchPath(path: Path): Refusal {
  const text = formatPath(path);
  const cut = text.length > SHOWN_PATH ? `${text.slice(0, SHOWN_PATH)}…` : text;
  return refuse("noSuchObject", `no such path: ${cut}`);
}
