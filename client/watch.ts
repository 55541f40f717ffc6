/**
 * A live copy of a part of the control tree.
 *
 * @module
 */
import { type Branch, isBranch, merge, type Patch } from "../core/wire.ts";
import { createListeners } from "./listeners.ts";
import { RequestError } from "./request-error.ts";
import type { AnySubscriber } from "./subscriptions.ts";

/** The current state of a live copy. */
export interface Watched<Value, Changed> {
  /** The current value. It is immutable: a change makes a new value. */
  readonly value: Value;
  /** The change, nested below the path; undefined if everything may have changed. */
  readonly change?: Changed | undefined;
  /** For a step of a fade: the number of its tick, on a grid of 20 ms. */
  readonly tick?: number | undefined;
  /** Why the watch has ended; undefined while it goes on. */
  readonly ended?: RequestError | undefined;
}

/**
 * A live copy of the value at a path. While the connection is lost, the copy keeps its last value.
 */
export interface Watch<Value, Changed> extends Disposable {
  readonly value: Value;
  /** Why the watch has ended; undefined while it goes on. */
  readonly ended: RequestError | undefined;
  /** Calls `listener` at once and with each change, until the returned function is called. */
  listen(listener: (watched: Watched<Value, Changed>) => void): () => void;
  /**
   * Resolves with the first value for which `condition` returns true; rejects if the watch ends
   * before, also by `stop`, and with the error that `condition` throws.
   */
  until(condition: (value: Value) => boolean): Promise<Value>;
  /** Ends the watch: the copy keeps its last value, and listeners are no longer called. */
  stop(): void;
}

/** Keeps a live copy of the value that `subscribe` delivers; resolves with the first value. */
export function watch(
  subscribe: (subscriber: AnySubscriber) => () => void,
): Promise<Watch<unknown, unknown>> {
  const listeners = createListeners<Watched<unknown, unknown>>();
  /** The conditions that are waited for. */
  const looks = createListeners<void>();
  let resolve: (watched: Watch<unknown, unknown>) => void;
  let reject: (error: RequestError) => void;
  const first = new Promise<Watch<unknown, unknown>>((has, hasNot) => {
    resolve = has;
    reject = hasNot;
  });
  let value: unknown;
  let ended: RequestError | undefined;

  function tell(now: Watched<unknown, unknown>): void {
    listeners.tell(now);
    looks.tell();
  }

  const unsubscribe = subscribe({
    whole(whole) {
      value = whole;
      resolve(watched);
      tell({ value });
    },
    change(change, tick) {
      // Lists, too, are patched by their items.
      value = isBranch(change) ? merge(value as Branch, change as Patch) : change;
      tell({ value, change, tick });
    },
    ended(error) {
      ended = error;
      reject(error);
      tell({ value, ended });
    },
  });

  function stop(): void {
    unsubscribe();
    ended ??= new RequestError("closed", "the watch was stopped");
    looks.tell();
  }

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
        const end = looks.add(look);
        look();

        function look(): void {
          try {
            if (ended === undefined && !condition(value)) return;
          } catch (fault) {
            reject(fault);
          }
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
