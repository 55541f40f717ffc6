/**
 * The subscriptions of a client. A subscriber gets the whole value at its path first, then the
 * changes, and the whole again after each loss of the connection.
 *
 * @module
 */
import { formatPath, parsePath, type Path } from "../core/wire.ts";
import { callSafely } from "./listeners.ts";
import type { RequestError } from "./request-error.ts";
import { ignored, type Requests } from "./requests.ts";

/** Receives the value at a path, and its changes. */
export interface Subscriber<Value, Changed> {
  /**
   * Called with the whole value, at first and after each loss of the connection. It must not be
   * altered.
   */
  whole(value: Value): void;
  /**
   * Called with a change, nested below the path. For a step of a fade, `tick` is the number of its
   * tick on a grid of 20 ms.
   */
  change(change: Changed, tick?: number): void;
  /**
   * Called at the end of the subscription: the console has refused it or the token, or the client
   * was closed.
   */
  ended(error: RequestError): void;
}

/** A subscriber whose path is not known to the compiler. */
export type AnySubscriber = Subscriber<unknown, unknown>;

/** Options of a subscription. */
export interface SubscribeOptions {
  /**
   * Whether meters are included; by default only if the path is that of a meter or is below one.
   */
  readonly meters?: boolean;
  /** Interval between updates of meters in ms, from 40 to 10000; by default 40. */
  readonly interval?: number;
}

/** How much of a branch is read. */
export interface Extent {
  /** Number of levels below the path; a branch deeper down is `{}`. By default 1. */
  readonly depth?: number;
  /** The members that are read at the last of these levels; by default all. */
  readonly only?: readonly string[];
}

/** Options of a subscription, and how much is read first: without an extent, the whole value. */
export interface WantedOptions extends SubscribeOptions {
  readonly extent?: Extent;
}

/** The subscriptions of a client. */
export interface Subscriptions {
  /**
   * Subscribes, or changes the options of a subscriber to that path; the returned function ends the
   * subscription.
   */
  add(path: string, subscriber: AnySubscriber, options: WantedOptions): () => void;
  /** Subscribes to all paths again, on a new connection. */
  opened(): void;
  /** Passes a change, nested from the root, to the subscribers. */
  changed(patch: object, tick: number | undefined): void;
  /** Ends all subscriptions. */
  end(error: RequestError): void;
}

/** A subscriber to one path. */
interface Entry {
  readonly subscriber: AnySubscriber;
  options: WantedOptions;
  /** Whether the subscriber has received the value, and so receives changes. */
  isWhole: boolean;
}

/** A path with subscribers, or above one with subscribers. */
interface Place {
  readonly path: Path;
  /** Another set after each unsubscription, so that late answers do not go to later subscribers. */
  entries: Set<Entry>;
  readonly below: Map<string, Place>;
}

/** Makes an empty list of subscriptions; `isOpen` says whether the connection is open. */
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
    const { entries } = place;
    requests.ask(message, { resolve() {}, reject: (error) => refuse(place, entries, error) });
  }

  /**
   * Reads the value, or the part of it that `extent` names, for the subscribers that have not
   * received it.
   */
  function read(place: Place, extent: Extent | undefined): void {
    const { entries } = place;
    requests.ask({ method: "get", path: formatPath(place.path), ...extent }, {
      resolve(value) {
        for (const entry of entries) {
          if (entry.isWhole || entry.options.extent !== extent) continue;
          entry.isWhole = true;
          callSafely(() => entry.subscriber.whole(value));
        }
      },
      reject: (error) => refuse(place, entries, error, ({ options }) => options.extent === extent),
    });
  }

  /**
   * Ends the subscribers that have not received the whole value, of those for `which` the request
   * was; the others continue.
   */
  function refuse(
    place: Place,
    entries: Set<Entry>,
    error: RequestError,
    which: (entry: Entry) => boolean = () => true,
  ): void {
    // After a loss of the connection everything is requested again.
    if (error.code === "lost" || entries !== place.entries) return;
    endThose(place, error, (entry) => !entry.isWhole && which(entry));
  }

  /** Removes entries, and changes the subscription to the options of the remaining ones. */
  function remove(place: Place, entries: readonly Entry[]): void {
    const before = wantedAt(place);
    for (const entry of entries) place.entries.delete(entry);
    if (!isOpen()) return;
    const message = { method: "unsubscribe", path: formatPath(place.path) };
    if (place.entries.size === 0) {
      place.entries = new Set();
      requests.ask(message, ignored);
    } else if (!isSame(before, wantedAt(place))) subscribe(place);
  }

  function endThose(place: Place, error: RequestError, which: (entry: Entry) => boolean): void {
    const ended = [...place.entries].filter(which);
    if (ended.length === 0) return;
    remove(place, ended);
    for (const { subscriber } of ended) callSafely(() => subscriber.ended(error));
  }

  return {
    add(path, subscriber, options) {
      const place = placeAt(parsePath(path));
      const known = [...place.entries].find((entry) => entry.subscriber === subscriber);
      const entry: Entry = known ?? { subscriber, options, isWhole: false };
      const before = wantedAt(place);
      const isKnown = place.entries.size > 0;
      // The answer to an earlier read of another extent is not for this subscriber any more.
      const isRead = known !== undefined &&
        (known.isWhole || known.options.extent === options.extent);
      entry.options = options;
      place.entries.add(entry);
      if (isOpen()) {
        if (!isKnown || !isSame(before, wantedAt(place))) subscribe(place);
        if (!isRead) read(place, options.extent);
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
        const extents = [...place.entries].map(({ options }) => options.extent);
        for (const extent of new Set(extents)) read(place, extent);
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

/**
 * Passes a change to the subscribers at and below a path. Of the changed members and the subscribed
 * ones it visits the smaller set.
 */
function tell(place: Place, change: unknown, tick: number | undefined): void {
  for (const { isWhole, subscriber } of place.entries) {
    if (isWhole) callSafely(() => subscriber.change(change, tick));
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

/**
 * The options of the one subscription to a path: the shortest interval, and meters if any
 * subscriber wants them.
 */
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
