/**
 * The paths of what calls name by its number: mixers, faders, flex processings; and what is at no path.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import type { State } from "../state.ts";
import { find, formatPath, isBranch, type Path } from "./tree.ts";

/** The path of a mixer; refused (6) where it is not configured. */
export function mixerPath({ tree }: State, mixer: number): Path | Refusal {
  const path = ["audio", "mixers", String(mixer)];
  return isBranch(find(tree, path))
    ? path
    : refuse("noSuchObject", `there is no mixer ${mixer}`, "mixer");
}

/** The path of a fader; refused (6) where it or its mixer is not configured. */
export function faderPath(state: State, mixer: number, fader: number): Path | Refusal {
  const above = mixerPath(state, mixer);
  if (isRefusal(above)) return above;
  const path = [...above, "faders", String(fader)];
  return isBranch(find(state.tree, path))
    ? path
    : refuse("noSuchObject", `mixer ${mixer} has no fader ${fader}`, "fader");
}

/** The path of a flex processing; refused (6) where it is not configured. */
export function processingPath({ tree }: State, fp: number): Path | Refusal {
  const path = ["audio", "flexprocessings", String(fp)];
  return isBranch(find(tree, path))
    ? path
    : refuse("noSuchObject", `there is no processing ${fp}`, "fp");
}

/** Characters of an unknown path that a message shows. */
const SHOWN_PATH = 120;

/** The refusal (6) of a path that is not in the tree. */
export function noSuchPath(path: Path): Refusal {
  const text = formatPath(path);
  const cut = text.length > SHOWN_PATH ? `${text.slice(0, SHOWN_PATH)}…` : text;
  return refuse("noSuchObject", `no such path: ${cut}`);
}
