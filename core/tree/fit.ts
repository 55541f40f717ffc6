/**
 * Fits values that were right elsewhere or earlier into this console: the content of a snapshot, and
 * what the log holds from a console that was configured differently.
 *
 * @module
 */
import { acceptValue, isLeafDefinition, type Ranges } from "./leaf.ts";
import { type Branch, isBranch, type Leaf, type Patch, type Tree } from "./tree.ts";

/**
 * The part of `content` that `node` has a place for, bounded to its ranges, without what is in force
 * already; undefined when nothing is left. What does not fit is skipped (decisions.md, "RPC": "what
 * the target lacks is skipped"). `readOnly` says whether read-only members are taken: from the log
 * they are, from a snapshot they are not.
 */
export function fit(
  node: Branch,
  ranges: Ranges,
  content: Branch,
  readOnly: "take" | "skip",
): Patch | undefined {
  const fitting: Record<string, Patch[string]> = {};
  for (const member of Object.keys(content)) {
    const value = content[member]!;
    // Mostly what is loaded is what is there, and was accepted before.
    if (!Object.hasOwn(node, member) || value === node[member]) continue;
    const current = node[member]!;
    const definition = Object.hasOwn(ranges, member) ? ranges[member] : undefined;
    if (definition !== undefined && isLeafDefinition(definition)) {
      const accepted = acceptValue(definition, value, () => member);
      if (typeof accepted === "object" || accepted === current) continue;
      if (definition.type !== "number" || definition.adds === undefined) fitting[member] = accepted;
    } else if (isBranch(current)) {
      const inner = isBranch(value) ? fit(current, definition ?? {}, value, readOnly) : undefined;
      if (inner !== undefined) fitting[member] = inner;
    } else if (readOnly === "take" && sameKind(current, value) && value !== current) {
      fitting[member] = value as Leaf;
    }
  }
  return Object.keys(fitting).length > 0 ? fitting : undefined;
}

function sameKind(current: Tree, value: unknown): boolean {
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
    else if (definition.type !== "number" || definition.adds === undefined) part[member] = value;
  }
  return part;
}
