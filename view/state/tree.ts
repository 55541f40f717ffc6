/**
 * The part of the control tree that the page shows: signals of what stands at paths, and the fewest
 * subscriptions that keep them.
 *
 * @module
 */
import { batch, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Subscriber } from "../../client/client.ts";
import { type Branch, isBranch, merge, parsePath, type Patch } from "../../core/tree/tree.ts";

/** What of the tree is known, and kept. */
export interface LiveTree {
  /** A signal of what stands at a path; it is followed while somebody watches the signal. */
  at(path: string): ReadonlySignal<unknown>;
  /** Follows a path without a signal; the returned function ends it. */
  follow(path: string): () => void;
  /** Subscribes to everything anew, for there is another client. */
  restart(): void;
}

/** Subscribes at the console; the returned function ends it. */
type Subscribe = (path: string, subscriber: Subscriber<unknown, unknown>) => () => void;

/** A place in the tree that somebody has asked for, or that leads to one. */
interface Place {
  value?: Signal<unknown>;
  readonly below: Map<string, Place>;
}

/** Makes a tree of which nothing is known. */
export function createTree(subscribe: Subscribe): LiveTree {
  const root: Place = { below: new Map() };
  /** How many follow each path. */
  const wanted = new Map<string, number>();
  /** What is subscribed, each with what ends it. */
  const subscribed = new Map<string, () => void>();
  /** What is known of each subscribed path. */
  const known = new Map<string, unknown>();
  let isDue = false;

  /** Components come and go in one go: what they leave to be subscribed is found out behind it. */
  function changed(): void {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      settle();
    });
  }

  function settle(): void {
    const outermost = [...wanted.keys()].filter((path) => !isCovered(path, wanted));
    for (const path of outermost) {
      if (!subscribed.has(path)) start(path);
    }
    for (const [path, end] of subscribed) {
      if (outermost.includes(path)) continue;
      end();
      subscribed.delete(path);
      known.delete(path);
    }
  }

  function start(path: string): void {
    const parts = parsePath(path);
    const end = subscribe(path, {
      whole(value) {
        known.set(path, value);
        batch(() => tellWhole(placeAt(parts), value));
      },
      change(change) {
        const before = known.get(path);
        const after = isBranch(change) ? merge(before as Branch, change as Patch) : change;
        known.set(path, after);
        batch(() => tellChange(placeAt(parts), after, change));
      },
      ended() {
        known.delete(path);
        batch(() => tellWhole(placeAt(parts), undefined));
      },
    });
    subscribed.set(path, end);
  }

  function placeAt(parts: readonly string[]): Place {
    let place = root;
    for (const part of parts) {
      let next = place.below.get(part);
      if (next === undefined) place.below.set(part, next = { below: new Map() });
      place = next;
    }
    return place;
  }

  /** What is known of a path by the subscription that covers it. */
  function valueOf(path: string): unknown {
    for (const [above, value] of known) {
      if (path === above) return value;
      if (path.startsWith(`${above}/`)) {
        return parsePath(path.slice(above.length)).reduce(memberOf, value);
      }
    }
    return undefined;
  }

  function want(path: string): void {
    wanted.set(path, (wanted.get(path) ?? 0) + 1);
    changed();
  }

  function unwant(path: string): void {
    const left = wanted.get(path)! - 1;
    if (left === 0) wanted.delete(path);
    else wanted.set(path, left);
    changed();
  }

  return {
    at(given) {
      const path = normal(given);
      const place = placeAt(parsePath(path));
      place.value ??= signal<unknown>(valueOf(path), {
        watched: () => want(path),
        unwatched: () => unwant(path),
      });
      return place.value;
    },
    follow(given) {
      const path = normal(given);
      want(path);
      return () => unwant(path);
    },
    restart() {
      for (const path of [...subscribed.keys()]) start(path);
      settle();
    },
  };
}

function normal(path: string): string {
  return `/${parsePath(path).join("/")}`;
}

/** Whether a path lies inside another of them. */
function isCovered(path: string, paths: ReadonlyMap<string, number>): boolean {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (paths.has(path.slice(0, end))) return true;
  }
  return false;
}

function memberOf(value: unknown, member: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[member]
    : undefined;
}

/** Tells all signals at and below a place what stands there. */
function tellWhole(place: Place, value: unknown): void {
  if (place.value !== undefined) place.value.value = value;
  for (const [member, next] of place.below) tellWhole(next, memberOf(value, member));
}

/** Tells the signals at and below a place that a change touches: it costs what the change does. */
function tellChange(place: Place, value: unknown, change: unknown): void {
  if (place.value !== undefined) place.value.value = value;
  if (place.below.size === 0) return;
  if (!isBranch(change)) return tellWhole(place, value);
  for (const member of Object.keys(change)) {
    const next = place.below.get(member);
    if (next !== undefined) tellChange(next, memberOf(value, member), change[member]);
  }
}
