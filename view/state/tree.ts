/**
 * The part of the control tree that the page shows: signals of the values at paths, and the
 * smallest set of subscriptions that keeps them up to date.
 *
 * @module
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { Extent, Subscriber } from "../../client/client.ts";
import { type Branch, isBranch, merge, nest, parsePath, type Patch } from "../../core/tree/tree.ts";
import { createTreeSignals, memberOf } from "./tree-signals.ts";

/** The part of the tree that is known, and kept up to date. */
export interface LiveTree {
  /** A signal of the value at a path; the path is followed while somebody watches the signal. */
  at(path: string): ReadonlySignal<unknown>;
  /**
   * Follows a path without a signal; the returned function ends it. With an extent only that part
   * is read at first; a watched path below it is read once, if its value is not known.
   */
  follow(path: string, extent?: Extent): () => void;
  /** Subscribes to everything anew, because there is another client. */
  restart(): void;
  /**
   * Subscribes again to the paths whose subscriptions have ended: the configuration behind a new
   * connection may have them.
   */
  renew(): void;
}

/** The parts of the console that a tree needs. */
export interface TreePorts {
  /** Subscribes at the console, and first reads all, or `extent`; the returned function ends it. */
  subscribe(
    path: string,
    subscriber: Subscriber<unknown, unknown>,
    extent: Extent | undefined,
  ): () => void;
  /** Reads a value once; undefined if the console refuses, or is lost. */
  read(path: string): Promise<unknown>;
}

/** A subscribed path. */
interface Followed {
  end(): void;
  /** The known value, or the known part of it; undefined until it was read. */
  value: unknown;
  /** If only a part was read: the paths whose whole values were read since then. */
  read: Set<string> | undefined;
  hasEnded: boolean;
}

/** Makes a tree without known values. */
export function createTree({ subscribe, read }: TreePorts): LiveTree {
  const signals = createTreeSignals();
  /** The number of followers of each path. */
  const wanted = new Map<string, number>();
  /** The part of a path that is read first, if not all. */
  const extents = new Map<string, Extent>();
  const followed = new Map<string, Followed>();
  /** Paths that may have to be read. */
  let fresh = new Set<string>();
  let isDue = false;

  /** Components come and go together: the subscriptions are updated once after that. */
  function changed(): void {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      settle();
    });
  }

  function settle(): void {
    const outermost = new Set([...wanted.keys()].filter((path) => !isCovered(path, wanted)));
    for (const path of outermost) {
      if (!followed.has(path)) start(path);
    }
    for (const [path, { end }] of followed) {
      if (outermost.has(path)) continue;
      end();
      followed.delete(path);
    }
    readMissing();
  }

  function start(path: string): void {
    const parts = parsePath(path);
    const extent = extents.get(path);
    const own: Followed = {
      end() {},
      value: followed.get(path)?.value,
      read: undefined,
      hasEnded: false,
    };
    followed.set(path, own);
    own.end = subscribe(path, {
      whole(value) {
        own.value = value;
        if (extent === undefined) return signals.replace(parts, value);
        // Only a part was read: the rest is shown as it was until it is read, too.
        signals.change(parts, value, value);
        own.read = new Set();
        fresh = new Set(wanted.keys());
        readMissing();
      },
      change(change) {
        own.value = isBranch(change) ? merge(own.value as Branch, change as Patch) : change;
        signals.change(parts, own.value, change);
      },
      ended() {
        own.value = undefined;
        own.hasEnded = true;
        signals.replace(parts, undefined);
      },
    }, extent);
  }

  /** Reads the new watched paths whose values are not known; of nested paths only the outermost. */
  function readMissing(): void {
    const missing = new Map<string, Followed>();
    for (const path of fresh) {
      const [above, own] = coverOf(path) ?? [];
      if (own?.read !== undefined && above !== path && !isKnown(own, above!, path)) {
        missing.set(path, own);
      }
    }
    fresh.clear();
    for (const [path, own] of missing) {
      if (!isCovered(path, missing)) readInto(own, path);
    }
  }

  function isKnown({ value, read }: Followed, above: string, path: string): boolean {
    if (read!.has(path) || isCovered(path, read!)) return true;
    const found = valueBelow(value, path.slice(above.length));
    return found !== undefined && !isBranch(found);
  }

  async function readInto(own: Followed, path: string): Promise<void> {
    const parts = own.read!;
    parts.add(path);
    const value = await read(path);
    const [above] = coverOf(path) ?? [];
    // By now another connection may have begun, or nobody may follow it.
    if (value === undefined || own.read !== parts || followed.get(above!) !== own) return;
    const inside = parsePath(path.slice(above!.length));
    const patch = nest(inside, value as Patch) as Patch;
    own.value = merge(own.value as Branch, patch);
    signals.change(parsePath(above!), own.value, patch);
  }

  /** The subscription that covers a path, with its own path. */
  function coverOf(path: string): readonly [string, Followed] | undefined {
    for (const [above, own] of followed) {
      if (path === above || path.startsWith(`${above}/`)) return [above, own];
    }
    return undefined;
  }

  /** The value at a path that the covering subscription knows; undefined if none is known. */
  function valueOf(path: string): unknown {
    const [above, own] = coverOf(path) ?? [];
    return own && valueBelow(own.value, path.slice(above!.length));
  }

  function want(path: string): void {
    wanted.set(path, (wanted.get(path) ?? 0) + 1);
    fresh.add(path);
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
      return signals.at(parsePath(path), () =>
        signal<unknown>(valueOf(path), {
          watched: () => want(path),
          unwatched: () => unwant(path),
        }));
    },
    follow(given, extent) {
      const path = normal(given);
      if (extent !== undefined) extents.set(path, extent);
      want(path);
      return () => unwant(path);
    },
    restart() {
      for (const path of [...followed.keys()]) start(path);
      settle();
    },
    renew() {
      for (const [path, { hasEnded }] of followed) {
        if (hasEnded) start(path);
      }
    },
  };
}

function normal(path: string): string {
  return `/${parsePath(path).join("/")}`;
}

/** Whether a path lies below another path of a list. */
function isCovered(path: string, paths: { has(path: string): boolean }): boolean {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (paths.has(path.slice(0, end))) return true;
  }
  return false;
}

function valueBelow(value: unknown, path: string): unknown {
  return parsePath(path).reduce(memberOf, value);
}
