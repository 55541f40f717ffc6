/**
 * Subscribers are told of selectors as a whole: both sides where one changed (decisions.md,
 * "Control tree").
 *
 * @module
 */
import {
  type Branch,
  combine,
  find,
  isBranch,
  nest,
  type Patch,
  patchBelow,
  type Path,
} from "./tree.ts";

const SELECTORS: Path = ["audio", "selectors", "selectors"];
/** Length of the path of one selector. */
const SELECTOR_LENGTH = SELECTORS.length + 1;

/**
 * Returns the part of a change at and below a path, nested from the root; undefined if there is
 * none. If the path is at or above a selector whose `left` or `right` changed, the part has both
 * values of `tree`, which is the tree after the change. Below a selector it has only the change.
 */
export function changeBelow(tree: Branch, patch: Patch, path: Path): Patch | undefined {
  const changed = path.length > SELECTOR_LENGTH ? undefined : find(patch as Branch, SELECTORS);
  if (!isBranch(changed)) return patchBelow(patch, path);
  const selectors = find(tree, SELECTORS) as unknown as Readonly<Record<string, Patch>>;
  const whole: Record<string, Patch> = {};
  for (const [id, members] of Object.entries(changed as Patch) as [string, Patch][]) {
    if (members.left === undefined && members.right === undefined) continue;
    const { left, right } = selectors[id]!;
    whole[id] = { left: left!, right: right! };
  }
  return patchBelow(combine(patch, nest(SELECTORS, whole) as Patch), path);
}
