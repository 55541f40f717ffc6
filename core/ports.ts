/**
 * The ports of the pure core: what it needs from the world around it. A program supplies these
 * once, at start; tests supply simulated ones. Nothing in `core/` or `fade/` reads a clock, a
 * random source, a disk or an audio engine in any other way.
 *
 * @module
 */
import type { Patch } from "./tree/tree.ts";

/** A clock tells two times, which never mix: wall time may be set back, monotonic time never is. */
export interface Clock {
  /** Returns wall time, in ms since 1970. */
  now(): number;
  /** Returns the time since an arbitrary origin, in ms, that no clock setting moves. */
  monotonic(): number;
}

/** A timer wakes by the monotonic time of a clock. */
export interface Timer {
  /** Returns the time since an arbitrary origin, in ms, that no clock setting moves. */
  monotonic(): number;
  /**
   * Calls `wake` once, at `due` (monotonic ms) or as soon as possible after it; the returned
   * function cancels it.
   */
  at(due: number, wake: () => void): () => void;
}

/** Calls `wake` once, in `ms`; the returned function cancels it. */
export function after(timer: Timer, ms: number, wake: () => void): () => void {
  return timer.at(timer.monotonic() + ms, wake);
}

/** Waits for a promise for a time in ms; undefined if it does not settle by then. */
export function within<Value>(
  timer: Timer,
  ms: number,
  promise: Promise<Value>,
): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = after(timer, ms, () => resolve(undefined));
    promise.then(resolve, reject).finally(cancel);
  });
}

/** Long work in steps of well under a millisecond each. */
export type Steps<Result> = Generator<void, Result>;

/**
 * Shares the one thread between all that runs on it: long work, and requests that come many at a
 * time, pause before they have delayed everything else by more than a millisecond.
 */
export interface CooperativeScheduler {
  /**
   * Asked before a step, returns undefined if the step may be taken at once, else a promise to wait
   * for, which resolves when everything else has had its turn. Clients, by their addresses, take
   * turns, so that many steps of one client delay another client by one step only. A step without
   * an `asker` is the service's own.
   */
  pause(asker?: string): Promise<void> | undefined;
  /** Takes all steps of a piece of work, with pauses between them. */
  run<Result>(work: Steps<Result>, asker?: string): Promise<Result>;
  /**
   * Runs work that takes much memory under one mutex, so that a hundred clients that ask for
   * everything do not each hold a copy at the same time. Askers, by their addresses, take turns, so
   * that an asker with much work delays only itself.
   */
  withMutex<Result>(asker: string | undefined, work: () => Promise<Result>): Promise<Result>;
}

/** A source of cryptographically strong random bytes. */
export interface Random {
  bytes(count: number): Uint8Array;
}

/**
 * The bytes of a record: whole, or in consecutive parts, so that a large content such as a picture
 * is neither copied nor held twice on its way to the medium. Nobody alters them any more.
 */
export type RecordBytes = Uint8Array | readonly Uint8Array[];

/**
 * A store takes durable records. It knows bytes, not mixers.
 *
 * Records reach the medium in the order of the calls. When one fails, every record that was
 * appended after it and is not yet on the medium fails too, so the stored records are always a
 * prefix of the appended ones. A record that is appended before the failure has been reported to
 * the caller of the failed append fails, too; a record that is appended later is tried afresh.
 */
export interface Store {
  /**
   * Resolves once the record is on the medium; rejects when it is not, and then never will be, with
   * an `Error` whose message tells a client why: "the change could not be stored: no space left on
   * the medium".
   */
  append(record: RecordBytes): Promise<void>;
}

/** The audio engine acts on changed values, and reports what only it can know (meters). */
export interface Engine {
  /**
   * Receives every change of the live state, once it is in force. For a step of fades, `tick` is
   * its number on the grid of 20 ms: the next step has the next number.
   */
  apply(patch: Patch, tick?: number): void;
  /**
   * Called once, at start; the engine may call `report` with read-only values at any time
   * afterwards.
   */
  start(report: (patch: Patch) => void): void;
  /**
   * Called before meters are read: an engine that computes them only on demand reports them now.
   */
  refresh?(): void;
  /** Whether this engine only stands in until a client claims paths. */
  readonly standsIn?: boolean;
}
