/**
 * The subscribed paths of all connections, and the updates of changes: a path includes all paths
 * below it, and one update is sent for each subscribed path that a change concerns (decisions.md,
 * "Control tree"). A path is held once for all connections. Meters are sent by `meter-feed.ts`.
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import { type Refusal, refuse } from "../../core/errors.ts";
import { FEW_SUBSCRIPTIONS, SUBSCRIPTIONS } from "../../core/limits.ts";
import { mayHaveMeters, namesMeters } from "../../core/tree/meters.ts";
import { changeBelow } from "../../core/tree/selectors.ts";
import { formatPath, type Patch, type Path } from "../../core/tree/tree.ts";
import { createCounts } from "../counts.ts";
import type { Hearer } from "./meter-feed.ts";
import { type Update, updateOf } from "./send-buffer.ts";

/** A path that a connection is subscribed to. */
export interface Subscription<Subscriber> {
  readonly subscriber: Subscriber;
  readonly path: Path;
  /** The path as text: the same for every connection. */
  readonly text: string;
  /** The number of the subscription, ascending in the order in which they were made. */
  readonly number: number;
}

/** The meters that a subscription asks for. */
export interface WantedMeters {
  /**
   * Whether meters below the path are included, even if the path itself is not a path of meters.
   */
  readonly meters: boolean;
  /** Interval between updates in ms. */
  readonly interval: number;
}

/** Whether a subscription to a path includes meters. */
export function hearsMeters(path: Path, { meters }: WantedMeters): boolean {
  return namesMeters(path) || (meters && mayHaveMeters(path));
}

/** The subscriptions of all connections. */
export interface AllSubscriptions<Subscriber> {
  /** Makes the empty subscriptions of a new connection from an address. */
  open(address: string, subscriber: Subscriber): Subscriptions;
  /**
   * Returns the subscriptions at or below whose path a patch has changes, in the order in which
   * they were made.
   */
  touchedBy(patch: Patch): readonly Subscription<Subscriber>[];
}

/** The subscriptions of one connection. */
export interface Subscriptions {
  /**
   * Adds a path; refused (11) beyond the maximum number of subscriptions of a connection, of its
   * address, or of all connections.
   */
  add(path: Path): Refusal | undefined;
  remove(path: Path): void;
  /** Returns the number of subscriptions. */
  count(): number;
  /** Removes all subscriptions, because the connection is closed. */
  close(): void;
}

/** A path with subscriptions, or above one with subscriptions. */
interface PathNode<Subscriber> {
  readonly path: Path;
  readonly text: string;
  readonly above?: PathNode<Subscriber>;
  readonly below: Map<string, PathNode<Subscriber>>;
  /** The subscribers of the path, each with the number of the subscription. */
  readonly subscribers: Map<Subscriber, number>;
}

/** Maximum share of one address in the maximum number of all subscriptions. */
const PART_OF_ADDRESS = 1 / 8;

/**
 * Makes the subscriptions of all connections, none at first, and at most `most`; but a connection
 * may always have a few, so that others cannot keep it out.
 */
export function createSubscriptions<Subscriber>(most: () => number): AllSubscriptions<Subscriber> {
  const root = newNode<Subscriber>([]);
  const ofAddress = createCounts();
  let count = 0;
  let lastNumber = 0;

  function refusalFor(own: number, address: string): Refusal | undefined {
    const mostOfAddress = Math.floor(most() * PART_OF_ADDRESS);
    if (own >= SUBSCRIPTIONS) return tooMany(SUBSCRIPTIONS, "");
    if (own < FEW_SUBSCRIPTIONS) return undefined;
    if (ofAddress.of(address) >= mostOfAddress) return tooMany(mostOfAddress, " of one address");
    return count < most() ? undefined : tooMany(most(), " of all clients");
  }

  return {
    open(address, subscriber) {
      const own = new Set<PathNode<Subscriber>>();

      function remove(node: PathNode<Subscriber>): void {
        if (!own.delete(node)) return;
        node.subscribers.delete(subscriber);
        ofAddress.remove(address);
        count--;
        prune(node);
      }

      return {
        add(path) {
          const known = nodeAt(root, path);
          if (known !== undefined && own.has(known)) return undefined;
          const refusal = refusalFor(own.size, address);
          if (refusal !== undefined) return refusal;
          const node = known ?? madeAt(root, path);
          node.subscribers.set(subscriber, ++lastNumber);
          own.add(node);
          ofAddress.add(address);
          count++;
        },
        remove(path) {
          const node = nodeAt(root, path);
          if (node !== undefined) remove(node);
        },
        count: () => own.size,
        close: () => own.forEach(remove),
      };
    },
    touchedBy(patch) {
      const touched: Subscription<Subscriber>[] = [];
      collect(root, patch, touched);
      return touched.sort((one, other) => one.number - other.number);
    },
  };
}

/**
 * Sends the subscribers of a path an update of each change that concerns it. The text of the update
 * is made once for all subscribers of a path.
 */
export function publishChanges(console: Console, subscriptions: AllSubscriptions<Hearer>): void {
  console.watch((event, { tree }) => {
    if (event.type !== "treechanged" || event.ofMeters === true) return;
    const { patch, tick } = event;
    const updates = new Map<string, Update>();
    for (const { subscriber, path, text } of subscriptions.touchedBy(patch)) {
      if (!subscriber.mayHear()) continue;
      let update = updates.get(text);
      if (update === undefined) {
        update = updateOf(text, changeBelow(tree, patch, path)!, { tick });
        updates.set(text, update);
      }
      subscriber.sendBuffer.update(update);
    }
  });
}

function tooMany(most: number, whose: string): Refusal {
  return refuse("limitReached", `path: expected at most ${most} subscriptions${whose}`);
}

function newNode<Subscriber>(path: Path, above?: PathNode<Subscriber>): PathNode<Subscriber> {
  const text = formatPath(path);
  return { path, text, ...(above && { above }), below: new Map(), subscribers: new Map() };
}

function nodeAt<Subscriber>(
  root: PathNode<Subscriber>,
  path: Path,
): PathNode<Subscriber> | undefined {
  let node: PathNode<Subscriber> | undefined = root;
  for (const member of path) node = node?.below.get(member);
  return node;
}

function madeAt<Subscriber>(root: PathNode<Subscriber>, path: Path): PathNode<Subscriber> {
  let node = root;
  for (const [at, member] of path.entries()) {
    let next = node.below.get(member);
    if (next === undefined) {
      next = newNode(path.slice(0, at + 1), node);
      node.below.set(member, next);
    }
    node = next;
  }
  return node;
}

/** Removes a path without subscribers, and the nodes that led to it alone. */
function prune<Subscriber>({ path, above, below, subscribers }: PathNode<Subscriber>): void {
  if (above === undefined || subscribers.size > 0 || below.size > 0) return;
  above.below.delete(path.at(-1)!);
  prune(above);
}

/**
 * Up to this number of paths, each is looked up in the patch: counting the members of a patch costs
 * as much as visiting them.
 */
const FEW = 16;

/**
 * Descends where both the patch and the subscriptions have members, so that the cost is that of the
 * smaller one; also into a list that is set as a whole, for its items.
 */
function collect<Subscriber>(
  node: PathNode<Subscriber>,
  value: Patch[string],
  touched: Subscription<Subscriber>[],
): void {
  const { path, text, subscribers, below } = node;
  for (const [subscriber, number] of subscribers) touched.push({ subscriber, path, text, number });
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
