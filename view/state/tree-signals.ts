/**
 * The signals of the values at paths of the control tree.
 *
 * @module
 */
import { batch, type Signal } from "@preact/signals";
import { isBranch } from "../../core/tree/tree.ts";

/** The signals of a tree. Effects run once after all signals that a call touches are set. */
export interface TreeSignals {
  /** Returns the signal at a path, which is given by its parts; `made` makes it the first time. */
  at(parts: readonly string[], made: () => Signal<unknown>): Signal<unknown>;
  /** Sets all signals at and below a path to the parts of a new value. */
  replace(parts: readonly string[], value: unknown): void;
  /**
   * Sets the signals at and below a path that a change touches to the parts of the value in force
   * after it. The cost is that of the change.
   */
  change(parts: readonly string[], value: unknown, change: unknown): void;
}

/** A node of the tree: a path with a signal, or a step on the way to one. */
interface Node {
  signal?: Signal<unknown>;
  readonly below: Map<string, Node>;
}

/** Makes a tree without signals. */
export function createTreeSignals(): TreeSignals {
  const root: Node = { below: new Map() };

  function nodeAt(parts: readonly string[]): Node {
    let node = root;
    for (const part of parts) {
      let next = node.below.get(part);
      if (next === undefined) node.below.set(part, next = { below: new Map() });
      node = next;
    }
    return node;
  }

  return {
    at: (parts, made) => nodeAt(parts).signal ??= made(),
    replace: (parts, value) => batch(() => replace(nodeAt(parts), value)),
    change: (parts, value, patch) => batch(() => change(nodeAt(parts), value, patch)),
  };
}

function replace(node: Node, value: unknown): void {
  if (node.signal !== undefined) node.signal.value = value;
  for (const [member, next] of node.below) replace(next, memberOf(value, member));
}

function change(node: Node, value: unknown, patch: unknown): void {
  if (node.signal !== undefined) node.signal.value = value;
  if (node.below.size === 0) return;
  if (!isBranch(patch)) return replace(node, value);
  for (const member of Object.keys(patch)) {
    const next = node.below.get(member);
    if (next !== undefined) change(next, memberOf(value, member), patch[member]);
  }
}

/** Returns a member of a value; undefined if it has none. */
export function memberOf(value: unknown, member: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[member]
    : undefined;
}
