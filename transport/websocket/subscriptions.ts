/**
 * What one connection is subscribed to: a path covers all below it, and a change is told once for each
 * path that it touches (decisions.md, "Control tree").
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import { SUBSCRIPTIONS } from "../../core/limits.ts";
import { formatPath, type Patch, type Path } from "../../core/tree/tree.ts";

/** A path that a connection is subscribed to. */
export interface Subscription {
  readonly path: Path;
  /** The path as text: the same for every connection. */
  readonly text: string;
  /** The later it was made, the higher. */
  readonly number: number;
}

/** The subscriptions of one connection. */
export interface Subscriptions {
  /** Refused (11) past the number of subscriptions that a connection may have. */
  add(path: Path): Refusal | undefined;
  remove(path: Path): void;
  /** How many there are. */
  readonly count: number;
  /** Those at or below whose paths a patch changes something, in the order in which they were made. */
  touchedBy(patch: Patch): readonly Subscription[];
}

/** A path that is subscribed to, or leads to one that is. */
interface Node {
  subscription?: Subscription | undefined;
  readonly below: Map<string, Node>;
}

/** No subscriptions yet. */
export function createSubscriptions(): Subscriptions {
  const root = newNode();
  let count = 0;
  let lastNumber = 0;

  function removeBelow(node: Node, path: Path): void {
    const [member, ...rest] = path;
    if (member === undefined) {
      if (node.subscription === undefined) return;
      node.subscription = undefined;
      count--;
      return;
    }
    const next = node.below.get(member);
    if (next === undefined) return;
    removeBelow(next, rest);
    if (next.subscription === undefined && next.below.size === 0) node.below.delete(member);
  }

  return {
    add(path) {
      const known = path.reduce<Node | undefined>((node, member) => node?.below.get(member), root);
      if (known?.subscription !== undefined) return;
      if (count >= SUBSCRIPTIONS) {
        return refuse("limitReached", `path: expected at most ${SUBSCRIPTIONS} subscriptions`);
      }
      let node = root;
      for (const member of path) {
        let next = node.below.get(member);
        if (next === undefined) node.below.set(member, next = newNode());
        node = next;
      }
      node.subscription = { path, text: formatPath(path), number: ++lastNumber };
      count++;
    },
    remove(path) {
      removeBelow(root, path);
    },
    get count() {
      return count;
    },
    touchedBy(patch) {
      const touched: Subscription[] = [];
      collect(root, patch, touched);
      return touched.sort((one, other) => one.number - other.number);
    },
  };
}

function newNode(): Node {
  return { below: new Map() };
}

/**
 * Where there are no more paths than this, each is looked for: to count the members of a patch costs
 * as much as to go through them.
 */
const FEW = 16;

/**
 * Goes down where both the patch and the subscriptions do, so that it costs what the smaller does; also
 * into a list that is set whole, for its items.
 */
function collect(node: Node, value: Patch[string], touched: Subscription[]): void {
  const { subscription, below } = node;
  if (subscription !== undefined) touched.push(subscription);
  if (below.size === 0 || typeof value !== "object") return;
  const members = below.size > FEW ? Object.keys(value) : undefined;
  const fewer = members !== undefined && members.length < below.size ? members : below.keys();
  for (const member of fewer) {
    const next = below.get(member);
    if (next !== undefined && Object.hasOwn(value, member)) {
      collect(next, (value as Patch)[member]!, touched);
    }
  }
}
