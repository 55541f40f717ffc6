/**
 * The subscriptions of a client. A subscriber gets the whole value at its path first, then the changes,
 * and the whole again after each loss of the connection.
 *
 * @module
 */
import { formatPath, parsePath, type Path } from "../core/wire.ts";
import type { RequestError } from "./request-error.ts";
import { ignored, type Requests } from "./requests.ts";

/** Hears of the value at a path, and of its changes. */
export interface Subscriber<Value, Changed> {
  /** Hears of the whole value: first, and again after each loss of the connection. Never alter it. */
  whole(value: Value): void;
  /**
   * Hears of a change, nested from the path on. `tick` is set for a step of a fade: its number on the
   * grid of 20 ms.
   */
  change(change: Changed, tick?: number): void;
  /**
   * Nothing more will come: the console refuses the subscription, or the token, or the client was
   * closed.
   */
  ended(error: RequestError): void;
}

/** A subscriber whose path is not known to the compiler. */
export type AnySubscriber = Subscriber<unknown, unknown>;

/** Options of a subscription. */
export interface SubscribeOptions {
  /**
   * Whether meters are included; by default only where the path names them, or lies inside them.
   */
  readonly meters?: boolean;
  /** Interval of meters, in ms, 40 to 10000; by default 40. */
  readonly interval?: number;
}

/** The subscriptions of a client. */
export interface Subscriptions {
  /** Subscribes; the answer ends it. */
  add(path: string, subscriber: AnySubscriber, options: SubscribeOptions): () => void;
  /** A new connection is open: subscribes to all paths again. */
  opened(): void;
  /** Hands on a change, nested from the root. */
  changed(patch: object, tick: number | undefined): void;
  /** Ends all subscriptions. */
  end(error: RequestError): void;
}

/** A subscriber at its place. */
interface Entry {
  readonly subscriber: AnySubscriber;
  readonly options: SubscribeOptions;
  /** Whether it has the whole value, and hears of changes. */
  isWhole: boolean;
}

/** A path that has subscribers, or leads to one that has. */
interface Place {
  readonly path: Path;
  readonly entries: Set<Entry>;
  readonly below: Map<string, Place>;
}

/** Makes subscriptions, of which there are none; `isOpen` says whether requests are answered. */
export function createSubscriptions(requests: Requests, isOpen: () => boolean): Subscriptions {
  const root = newPlace([]);

  function placeAt(path: Path): Place {
    let place = root;
    for (const [index, member] of path.entries()) {
      let next = place.below.get(member);
      if (next === undefined) place.below.set(member, next = newPlace(path.slice(0, index + 1)));
      place = next;
    }
    return place;
  }

  function subscribe(place: Place): void {
    const message = { method: "subscribe", path: formatPath(place.path), ...wantedAt(place) };
    requests.ask(message, { resolve() {}, reject: (error) => refuse(place, error) });
  }

  /** Reads the whole value for the subscribers that do not have it. */
  function read(place: Place): void {
    requests.ask({ method: "get", path: formatPath(place.path) }, {
      resolve(value) {
        for (const entry of place.entries) {
          if (entry.isWhole) continue;
          entry.isWhole = true;
          entry.subscriber.whole(value);
        }
      },
      reject: (error) => refuse(place, error),
    });
  }

  /** Ends the subscribers that do not have the whole value; the others go on. */
  function refuse(place: Place, error: RequestError): void {
    // After a loss everything is asked for again.
    if (error.code !== "lost") endThose(place, error, ({ isWhole }) => !isWhole);
  }

  /** Removes entries, and changes the subscription to what the others want. */
  function remove(place: Place, entries: readonly Entry[]): void {
    const before = wantedAt(place);
    for (const entry of entries) place.entries.delete(entry);
    if (!isOpen()) return;
    const message = { method: "unsubscribe", path: formatPath(place.path) };
    if (place.entries.size === 0) requests.ask(message, ignored);
    else if (!isSame(before, wantedAt(place))) subscribe(place);
  }

  function endThose(place: Place, error: RequestError, which: (entry: Entry) => boolean): void {
    const ended = [...place.entries].filter(which);
    if (ended.length === 0) return;
    remove(place, ended);
    for (const { subscriber } of ended) subscriber.ended(error);
  }

  return {
    add(path, subscriber, options) {
      const place = placeAt(parsePath(path));
      const entry = { subscriber, options, isWhole: false };
      const before = wantedAt(place);
      const isKnown = place.entries.size > 0;
      place.entries.add(entry);
      if (isOpen()) {
        if (!isKnown || !isSame(before, wantedAt(place))) subscribe(place);
        read(place);
      }
      return () => {
        if (place.entries.has(entry)) remove(place, [entry]);
      };
    },
    opened() {
      const places = placesWithEntries(root);
      for (const place of places) {
        for (const entry of place.entries) entry.isWhole = false;
      }
      for (const place of places) {
        subscribe(place);
        read(place);
      }
    },
    changed: (patch, tick) => tell(root, patch, tick),
    end(error) {
      for (const place of placesWithEntries(root)) endThose(place, error, () => true);
    },
  };
}

function newPlace(path: Path): Place {
  return { path, entries: new Set(), below: new Map() };
}

function placesWithEntries(place: Place): Place[] {
  const below = [...place.below.values()].flatMap(placesWithEntries);
  return place.entries.size > 0 ? [place, ...below] : below;
}

/** Goes down where both the change and the subscriptions do, along the smaller of both. */
function tell(place: Place, change: unknown, tick: number | undefined): void {
  for (const { isWhole, subscriber } of place.entries) {
    if (isWhole) subscriber.change(change, tick);
  }
  if (place.below.size === 0 || typeof change !== "object" || change === null) return;
  const members = Object.keys(change);
  for (const member of members.length < place.below.size ? members : place.below.keys()) {
    const next = place.below.get(member);
    if (next !== undefined && Object.hasOwn(change, member)) {
      tell(next, (change as Record<string, unknown>)[member], tick);
    }
  }
}

/** The options of the one subscription to a path: what the most demanding subscriber wants. */
function wantedAt({ entries }: Place): SubscribeOptions {
  const wanted = [...entries].map(({ options }) => options);
  const interval = Math.min(...wanted.map(({ interval = Infinity }) => interval));
  return {
    ...(wanted.some(({ meters }) => meters) ? { meters: true } : {}),
    ...(interval === Infinity ? {} : { interval }),
  };
}

function isSame(one: SubscribeOptions, other: SubscribeOptions): boolean {
  return one.meters === other.meters && one.interval === other.interval;
}
