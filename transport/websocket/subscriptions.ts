/**
 * What one connection is subscribed to: a path covers all below it, and a change is told once for
 * each path that it touches (decisions.md, "Control tree"). Of meters hears who asks for them
 * (`meter-feed.ts`).
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import { SUBSCRIPTIONS } from "../../core/limits.ts";
import { mayHaveMeters, namesMeters } from "../../core/tree/meters.ts";
import { formatPath, type Patch, type Path } from "../../core/tree/tree.ts";

/** A path that a connection is subscribed to. */
export interface Subscription {
  readonly path: Path;
  /** The path as text: the same for every connection. */
  readonly text: string;
  /** The later it was made, the higher. */
  readonly number: number;
}

/** What a subscription wants of meters. */
export interface WantedMeters {
  /** Whether it wants those below a path that does not name them, too. */
  readonly meters: boolean;
  /** The ms between updates. */
  readonly interval: number;
}

/** Whether a subscription to a path hears of meters. */
export function hearsMeters(path: Path, { meters }: WantedMeters): boolean {
  return namesMeters(path) || (meters && mayHaveMeters(path));
}

/** The subscriptions of one connection. */
export interface Subscriptions {
  /** Adds a path; refused (11) past the number of subscriptions that a connection may have. */
  add(path: Path): Refusal | undefined;
  remove(path: Path): void;
  /** How many there are. */
  count(): number;
  /**
   * Those at or below whose paths a patch changes something, in the order in which they were made.
   */
  touchedBy(patch: Patch): readonly Subscription[];
}

/** A path that is subscribed to, or leads to one that is. */
interface PathNode {
  subscription?: Subscription | undefined;
  readonly below: Map<string, PathNode>;
}

/** Makes the subscriptions of a connection, of which there are none at first. */
export function createSubscriptions(): Subscriptions {
  const root = newNode();
  const texts = new Set<string>();
  let lastNumber = 0;

  return {
    add(path) {
      const text = formatPath(path);
      const isNew = !texts.has(text);
      if (isNew && texts.size >= SUBSCRIPTIONS) {
        return refuse("limitReached", `path: expected at most ${SUBSCRIPTIONS} subscriptions`);
      }
      let node = root;
      for (const member of path) {
        let next = node.below.get(member);
        if (next === undefined) node.below.set(member, next = newNode());
        node = next;
      }
      node.subscription ??= { path, text, number: ++lastNumber };
      texts.add(text);
    },
    remove(path) {
      const text = formatPath(path);
      if (texts.delete(text)) removeBelow(root, path);
    },
    count: () => texts.size,
    touchedBy(patch) {
      const touched: Subscription[] = [];
      collect(root, patch, touched);
      return touched.sort((one, other) => one.number - other.number);
    },
  };
}

/** Removes the subscription to a path that there is, and what leads to no other any more. */
function removeBelow(node: PathNode, [member, ...rest]: Path): void {
  if (member === undefined) {
    node.subscription = undefined;
    return;
  }
  const next = node.below.get(member)!;
  removeBelow(next, rest);
  if (next.subscription === undefined && next.below.size === 0) node.below.delete(member);
}

function newNode(): PathNode {
  return { below: new Map() };
}

/**
 * Where there are no more paths than this, each is looked for: to count the members of a patch
 * costs as much as to go through them. Of 1,000 connections with one path each, a tick of 512 fades
 * would hold the event loop for 8 ms, in the place of 1.
 */
const FEW = 16;

/**
 * Goes down where both the patch and the subscriptions do, so that it costs what the smaller does;
 * also into a list that is set whole, for its items.
 */
function collect(node: PathNode, value: Patch[string], touched: Subscription[]): void {
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
