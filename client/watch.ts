/**
 * A live copy of a part of the control tree.
 *
 * @module
 */
import { type Branch, isBranch, merge, type Patch } from "../core/wire.ts";
import { createListeners } from "./listeners.ts";
import type { RequestError } from "./request-error.ts";
import type { AnySubscriber } from "./subscriptions.ts";

/** The current state of a live copy. */
export interface Watched<Value, Changed> {
  /** The value now. It is never altered: a change makes another one. */
  readonly value: Value;
  /** The change, nested from the path on; undefined where anything may have changed. */
  readonly change?: Changed | undefined;
  /** The number on the grid of 20 ms of a step of a fade. */
  readonly tick?: number | undefined;
  /** Why it has ended, where it has. */
  readonly ended?: RequestError | undefined;
}

/** A live copy of the value at a path. While the connection is lost it stays as it was. */
export interface Watch<Value, Changed> extends Disposable {
  readonly value: Value;
  /** Why it has ended; undefined where it has not. */
  readonly ended: RequestError | undefined;
  /** Calls `listener` at once, then with each change, until the result is called. */
  listen(listener: (watched: Watched<Value, Changed>) => void): () => void;
  /**
   * Resolves with the value as soon as `condition` holds for it; rejects where nothing more will
   * come.
   */
  until(condition: (value: Value) => boolean): Promise<Value>;
  /** Ends it: the copy stays as it is, and no listener is called any more. */
  stop(): void;
}

/** Keeps a live copy by `subscribe`; resolves once there is a value. */
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
