/**
 * The paths of what calls name by its number: mixers, faders, flex processings; and what is at no path.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import { type Branch, find, formatPath, isBranch, type Path } from "./tree.ts";

/** What has a control tree: a state. */
interface Live {
  readonly tree: Branch;
}

/** A fader: its mixer and its number in it. */
export interface FaderAddress {
  readonly mixer: number;
  readonly fader: number;
}

/** The path of a mixer; refused (6) where it is not configured. */
export function mixerPath(state: Live, mixer: number): Path | Refusal {
  const path = ["audio", "mixers", String(mixer)];
  return existing(state, path, `there is no mixer ${mixer}`, "mixer");
}

/** The path of a fader that is known to be there. */
export function faderPath({ mixer, fader }: FaderAddress): Path {
  return ["audio", "mixers", String(mixer), "faders", String(fader)];
}

/** The path of a fader; refused (6) where it or its mixer is not configured. */
export function findFader(state: Live, address: FaderAddress): Path | Refusal {
  const { mixer, fader } = address;
  const above = mixerPath(state, mixer);
  return isRefusal(above)
    ? above
    : existing(state, faderPath(address), `mixer ${mixer} has no fader ${fader}`, "fader");
}

/** The path of a flex processing; refused (6) where it is not configured. */
export function processingPath(state: Live, fp: number): Path | Refusal {
  const path = ["audio", "flexprocessings", String(fp)];
  return existing(state, path, `there is no processing ${fp}`, "fp");
}

/** The path of a branch of the tree; where none is there, the refusal (6) of what calls for it. */
export function existing(
  { tree }: Live,
  path: Path,
  sentence: string,
  parameter: string,
): Path | Refusal {
  return isBranch(find(tree, path)) ? path : refuse("noSuchObject", sentence, parameter);
}

/** Characters of an unknown path that a message shows. */
const SHOWN_PATH = 120;

/** The refusal (6) of a path that is not in the tree. */
export function noSuchPath(path: Path): Refusal {
  const text = formatPath(path);
  const cut = text.length > SHOWN_PATH ? `${text.slice(0, SHOWN_PATH)}…` : text;
  return refuse("noSuchObject", `no such path: ${cut}`);
}
