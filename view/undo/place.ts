/**
 * Names of places in the control tree.
 *
 * @module
 */
import { formatPath, parsePath } from "../../core/tree/tree.ts";
import { type Resources, type Target, targetsOf } from "../pages/snapshots/targets.ts";
import { leafNames, type Names, namesOf } from "../parts/difference.ts";
import { differenceTexts } from "../texts/difference.ts";
import { mixerWords } from "../texts/mixer-words.ts";
import { textsOf } from "../texts/texts.ts";
import { undoTexts } from "../texts/undo.ts";
import type { Step } from "./standing.ts";

/** Names the mixer, the fader or the other part that a step changed, and also a single value. */
export function placeOf(
  { path, member, what }: Pick<Step, "path" | "member" | "what">,
  resources: Resources,
): string {
  const words = textsOf(differenceTexts);
  const mixer = mixerWords();
  const target = path === undefined ? undefined : targetAt(path, resources);
  const branch = path === undefined ? [] : parsePath(path);
  // A fade always concerns the level, and a step that changes a label says so.
  const isNamed = member !== undefined && what !== "fadetovalue" && what !== "setchannellabel";
  if (isNamed) return leafPlaceOf([...branch, member], resources);
  return target?.name ??
    (namesOf(branch, mixer, words).join(", ") || textsOf(undoTexts).everywhere);
}

/**
 * Names a value or a branch by its path, with its mixer and fader: `On Air · 4 Phone, EQ 1, Gain`.
 */
export function leafPlaceOf(path: readonly string[], resources: Resources): string {
  const words = textsOf(differenceTexts);
  const mixer = mixerWords();
  const target = targetAt(formatPath(path), resources);
  if (target === undefined) return namesOf(path, mixer, words).join(", ");
  const inFader = path[3] === "faders";
  const rest = path.slice(inFader ? 5 : 3);
  return [target.name, ...leafNames(rest, inFader, mixer, words, target.names)].join(", ");
}

/** The names of faders and channels of the mixer of a path. */
export function namesAt(path: string, resources: Resources): Names {
  return targetAt(path, resources)?.names ?? { faders: new Map(), channels: new Map() };
}

/** Finds the innermost fader, mixer or processing that a path leads to or into. */
function targetAt(path: string, resources: Resources): Target | undefined {
  const isAround = (target: Target) => `${path}/`.startsWith(`${target.path}/`);
  return (["channel", "mixer", "processing"] as const)
    .flatMap((type) => targetsOf(type, resources)).find(isAround);
}
