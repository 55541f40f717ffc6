/**
 * Fits values that were valid elsewhere or earlier into this console: the content of a snapshot,
 * and the stored values of a console that was configured differently.
 *
 * @module
 */
import {
  isIncrement,
  isLeafDefinition,
  type LeafDefinition,
  type NumberLeaf,
  type Ranges,
  takenValue,
} from "./leaf.ts";
import { type Branch, isBranch, type Leaf, type Patch, type Tree, unlessEmpty } from "./tree.ts";

/**
 * A rule returns the new value of a leaf when `value` is to replace `current`; undefined keeps
 * `current`. Read-only leaves have no definition.
 */
export type LeafRule = (
  current: Tree,
  value: Tree,
  member: string,
  definition: LeafDefinition | undefined,
) => Leaf | undefined;

/**
 * Walks two trees side by side: returns the leaves of `content` that `node` has with another value,
 * each with the result of `rule`; undefined if none is left. Branches that both trees share cost
 * nothing.
 */
export function overlap(
  node: Branch,
  ranges: Ranges,
  content: Branch,
  rule: LeafRule,
): Patch | undefined {
  const patch: Record<string, Patch[string]> = {};
  for (const member of Object.keys(content)) {
    const value = content[member]!;
    // A value that is there already was accepted before.
    if (!Object.hasOwn(node, member) || value === node[member]) continue;
    const current = node[member]!;
    const definition = Object.hasOwn(ranges, member) ? ranges[member] : undefined;
    let fitting: Patch[string] | undefined;
    if (!isBranch(current)) {
      fitting = rule(current, value, member, definition as LeafDefinition | undefined);
    } else if (isBranch(value)) {
      fitting = overlap(current, definition as Ranges | undefined ?? {}, value, rule);
    }
    if (fitting === undefined) continue;
    patch[member] = fitting;
    const same = (definition as Partial<NumberLeaf> | undefined)?.same;
    if (same !== undefined) patch[same] = fitting;
  }
  return unlessEmpty(patch);
}

/**
 * Returns the part of a snapshot's content that `node` can hold, bounded to its ranges, without
 * values in force already; undefined when nothing is left. Values that do not fit are skipped
 * (decisions.md, "RPC": "what the target lacks is skipped"), and so are read-only ones.
 */
export function fitContent(node: Branch, ranges: Ranges, content: Branch): Patch | undefined {
  return overlap(node, ranges, content, writtenLeaf);
}

/**
 * Does the same with values from the log or of another configuration, including read-only values.
 */
export function fitStored(node: Branch, ranges: Ranges, stored: Branch): Patch | undefined {
  return overlap(node, ranges, stored, (current, value, member, definition) => {
    if (definition !== undefined) return writtenLeaf(current, value, member, definition);
    return isSameKind(current, value) ? value as Leaf : undefined;
  });
}

const writtenLeaf: LeafRule = (current, value, _member, definition) => {
  if (definition === undefined || isIncrement(definition)) return undefined;
  const taken = takenValue(definition, value);
  return taken === current ? undefined : taken;
};

/** Says whether a stored value may replace `current`, which is undefined if there is no value. */
export function mayStand(
  value: Tree,
  current: Tree | undefined,
  definition: Ranges[string] | undefined,
): boolean {
  return definition !== undefined && isLeafDefinition(definition)
    ? takenValue(definition, value) !== undefined
    : isSameKind(current, value);
}

/** Says whether two values are of one type, and neither is a list or a branch. */
function isSameKind(current: Tree | undefined, value: Tree): boolean {
  return typeof current === typeof value && typeof current !== "object";
}

/**
 * Returns the writable part of a branch, which is the content of its snapshot (control-tree.md).
 * Its members stand in canonical order, so that its canonical JSON takes a third of the time.
 */
export function writablePart(node: Branch, ranges: Ranges): Branch {
  const part: Record<string, Tree> = {};
  for (const member of Object.keys(ranges).sort()) {
    const definition = ranges[member]!;
    const value = node[member]!;
    if (!isLeafDefinition(definition)) part[member] = writablePart(value as Branch, definition);
    else if (!isIncrement(definition)) part[member] = value;
  }
  return part;
}
