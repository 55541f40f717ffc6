/**
 * Fits values that were right elsewhere or earlier into this console: the content of a snapshot, and
 * what the log holds from a console that was configured differently.
 *
 * @module
 */
import {
  acceptValue,
  isIncrement,
  isLeafDefinition,
  type LeafDefinition,
  type Ranges,
} from "./leaf.ts";
import { type Branch, isBranch, type Leaf, type Patch, type Tree, unlessEmpty } from "./tree.ts";

/**
 * What a leaf becomes when `value` comes in the place of `current`; undefined where it stays as it is.
 * Read-only leaves have no definition.
 */
export type LeafRule = (
  current: Tree,
  value: Tree,
  member: string,
  definition: LeafDefinition | undefined,
) => Leaf | undefined;

/**
 * The leaves of `content` that stand in `node`, too, and differ there, as `rule` makes them; undefined
 * when nothing is left. Branches that both share cost nothing.
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
    // Mostly what is loaded is what is there, and was accepted before.
    if (!Object.hasOwn(node, member) || value === node[member]) continue;
    const current = node[member]!;
    const definition = Object.hasOwn(ranges, member) ? ranges[member] : undefined;
    let fitting: Patch[string] | undefined;
    if (!isBranch(current)) {
      fitting = rule(current, value, member, definition as LeafDefinition | undefined);
    } else if (isBranch(value)) {
      fitting = overlap(current, definition as Ranges | undefined ?? {}, value, rule);
    }
    if (fitting !== undefined) patch[member] = fitting;
  }
  return unlessEmpty(patch);
}

/**
 * The part of a snapshot's content that `node` can hold, bounded to its ranges, without what is in force
 * already; undefined when nothing is left. What does not fit is skipped (decisions.md, "RPC": "what the
 * target lacks is skipped"), and so is what clients may not write.
 */
export function fitContent(node: Branch, ranges: Ranges, content: Branch): Patch | undefined {
  return overlap(node, ranges, content, writtenLeaf);
}

/** The same of values that the log kept or that another configuration had, read-only ones included. */
export function fitStored(node: Branch, ranges: Ranges, stored: Branch): Patch | undefined {
  return overlap(node, ranges, stored, (current, value, member, definition) => {
    if (definition !== undefined) return writtenLeaf(current, value, member, definition);
    return isSameKind(current, value) ? value as Leaf : undefined;
  });
}

const writtenLeaf: LeafRule = (current, value, member, definition) => {
  if (definition === undefined || isIncrement(definition)) return undefined;
  const accepted = acceptValue(definition, value, () => member);
  return typeof accepted === "object" || accepted === current ? undefined : accepted;
};

/** Whether a stored value may stand where `current` does, or where nothing does. */
export function mayStand(
  value: Tree,
  current: Tree | undefined,
  definition: Ranges[string] | undefined,
): boolean {
  return definition !== undefined && isLeafDefinition(definition)
    ? typeof acceptValue(definition, value, String) !== "object"
    : isSameKind(current, value);
}

/** Whether two values are of one type, and neither is a list or a branch. */
export function isSameKind(current: Tree | undefined, value: Tree): boolean {
  return typeof current === typeof value && typeof current !== "object";
}

/**
 * The writable part of a branch: what a snapshot of it holds (control-tree.md). Its members stand in
 * canonical order, so that to authenticate it takes a third of the time.
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
