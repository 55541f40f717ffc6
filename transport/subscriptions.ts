/**
 * What one connection is subscribed to: a path covers all below it, and a change comes once however
 * many subscriptions cover it.
 *
 * @module
 */
import { type Refusal, refuse } from "../core/errors.ts";
import { SUBSCRIPTIONS } from "../core/limits.ts";
import type { Patch } from "../core/tree/patch.ts";
import { formatPath, type Path } from "../core/tree/path.ts";

/** The subscriptions of one connection. */
export interface Subscriptions {
  /** Refused (11) past the number of subscriptions that a connection may have. */
  add(path: Path): Refusal | undefined;
  remove(path: Path): void;
  /** How many there are. */
  readonly count: number;
  /** The same for connections that are sent the same; empty without subscriptions. */
  readonly key: string;
  /** The part of a patch that is subscribed to; undefined for none. */
  select(patch: Patch): Patch | undefined;
}

/** A path that is subscribed to, or leads to one that is. */
interface Node {
  subscribed: boolean;
  readonly below: Map<string, Node>;
}

/** No subscriptions yet. */
export function createSubscriptions(): Subscriptions {
  const root = newNode();
  let count = 0;
  // Made when it is asked for: many subscriptions may come between two changes of the console.
  let key: string | undefined = "";

  function removeBelow(node: Node, path: Path): void {
    const [member, ...rest] = path;
    if (member === undefined) {
      if (!node.subscribed) return;
      node.subscribed = false;
      count--;
      key = undefined;
      return;
    }
    const next = node.below.get(member);
    if (next === undefined) return;
    removeBelow(next, rest);
    if (!next.subscribed && next.below.size === 0) node.below.delete(member);
  }

  return {
    add(path) {
      const known = path.reduce<Node | undefined>((node, member) => node?.below.get(member), root);
      if (known?.subscribed) return;
      if (count >= SUBSCRIPTIONS) {
        return refuse("limitReached", `path: expected at most ${SUBSCRIPTIONS} subscriptions`);
      }
      let node = root;
      for (const member of path) {
        let next = node.below.get(member);
        if (next === undefined) node.below.set(member, next = newNode());
        node = next;
      }
      node.subscribed = true;
      count++;
      key = undefined;
    },
    remove(path) {
      removeBelow(root, path);
    },
    get count() {
      return count;
    },
    get key() {
      return key ??= [...covering(root, [])].sort().join("\n");
    },
    select: (patch) => root.subscribed ? patch : selectBelow(root, patch),
  };
}

function newNode(): Node {
  return { subscribed: false, below: new Map() };
}

/** The paths that cover all others. */
function* covering(node: Node, path: Path): Generator<string> {
  if (node.subscribed) return yield formatPath(path);
  for (const [member, next] of node.below) yield* covering(next, [...path, member]);
}

/**
 * Goes down where both the patch and the subscriptions do, so that it costs what the smaller does; also
 * into a list that is set whole, for its items.
 */
function selectBelow(node: Node, patch: Patch): Patch | undefined {
  let selected: Record<string, Patch[string]> | undefined;
  const members = Object.keys(patch);
  for (const member of node.below.size < members.length ? node.below.keys() : members) {
    const next = node.below.get(member);
    if (next === undefined || !Object.hasOwn(patch, member)) continue;
    const value = patch[member]!;
    const part = next.subscribed
      ? value
      : typeof value === "object"
      ? selectBelow(next, value as Patch)
      : undefined;
    if (part !== undefined) (selected ??= {})[member] = part;
  }
  return selected;
}
