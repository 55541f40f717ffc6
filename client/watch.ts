/**
 * A live copy of a part of the control tree.
 *
 * @module
 */
import { type Branch, isBranch, merge, type Patch } from "../core/wire.ts";
import { createListeners } from "./listeners.ts";
import type { RequestError } from "./request-error.ts";
import type { AnySubscriber } from "./subscriptions.ts";

/** What a live copy has come to. */
export interface Watched<Value, Changed> {
  /** All that stands there now. It is never altered: a change makes another one. */
  readonly value: Value;
  /** What has changed, from the path down; undefined where anything may have. */
  readonly change?: Changed | undefined;
  /** Of a step of a fade: its number on the grid of 20 ms. */
  readonly tick?: number | undefined;
  /** Set where nothing more will come. */
  readonly ended?: RequestError | undefined;
}

/** A live copy of what stands at a path. While the connection is lost it stays as it was. */
export interface Watch<Value, Changed> extends Disposable {
  readonly value: Value;
  /** Why nothing more will come; undefined while more may. */
  readonly ended: RequestError | undefined;
  /** Tells `listener` at once what there is, and from then on what changes; the answer ends it. */
  listen(listener: (watched: Watched<Value, Changed>) => void): () => void;
  /**
   * Resolves with the value as soon as `condition` holds for it; rejects where nothing more will
   * come.
   */
  until(condition: (value: Value) => boolean): Promise<Value>;
  /** Ends it: the copy stays as it is, and nobody is told any more. */
  stop(): void;
}

/** Watches what `subscribe` tells; resolves once there is a value. */
export function watch(
  subscribe: (subscriber: AnySubscriber) => () => void,
): Promise<Watch<unknown, unknown>> {
  const listeners = createListeners<Watched<unknown, unknown>>();
  let resolve: (watched: Watch<unknown, unknown>) => void;
  let reject: (error: RequestError) => void;
  const first = new Promise<Watch<unknown, unknown>>((has, hasNot) => {
    resolve = has;
    reject = hasNot;
  });
  let value: unknown;
  let ended: RequestError | undefined;

  const stop = subscribe({
    whole(whole) {
      value = whole;
      resolve(watched);
      listeners.tell({ value });
    },
    change(change, tick) {
      // Lists, too, are patched by their items.
      value = isBranch(change) ? merge(value as Branch, change as Patch) : change;
      listeners.tell({ value, change, tick });
    },
    ended(error) {
      ended = error;
      reject(error);
      listeners.tell({ value, ended });
    },
  });
  const watched: Watch<unknown, unknown> = {
    get value() {
      return value;
    },
    get ended() {
      return ended;
    },
    listen(listener) {
      listener({ value, ended });
      return listeners.add(listener);
    },
    until: (condition) =>
      new Promise((resolve, reject) => {
        const end = listeners.add(look);
        look();

        function look(): void {
          if (ended === undefined && !condition(value)) return;
          end();
          if (ended === undefined) resolve(value);
          else reject(ended);
        }
      }),
    stop,
    [Symbol.dispose]: stop,
  };
  return first;
}
