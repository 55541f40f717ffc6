/**
 * What the pure core asks of the world around it. A program supplies these once, at start; tests
 * supply simulated ones. Nothing in `core/` or `fade/` reads a clock, a random source, a disk or an
 * audio engine in any other way.
 *
 * @module
 */
import type { Patch } from "./tree/patch.ts";

/** Time. The two never mix: wall time may be set back, monotonic time never is. */
export interface Clock {
  /** Wall time, in ms since 1970. */
  now(): number;
  /** Time since an arbitrary origin, in ms, that no clock setting moves. */
  monotonic(): number;
}

/** One wake-up at a time, in monotonic ms. */
export interface Timer {
  /** Calls `wake` once, at `due` (monotonic ms) or as soon after it as can be; the answer cancels it. */
  at(due: number, wake: () => void): () => void;
}

/** Cryptographically strong random bytes. */
export interface Random {
  bytes(count: number): Uint8Array;
}

/**
 * The bytes of a record: whole, or in parts that follow one another, so that what is large, a picture,
 * is neither copied nor held twice on its way to the medium. Nobody alters them any more.
 */
export type RecordBytes = Uint8Array | readonly Uint8Array[];

/**
 * Where durable records go. It knows bytes, not mixers.
 *
 * Records reach the medium in the order of the calls. When one fails, every record that was
 * appended after it and is not yet on the medium fails too, so what is stored is always a prefix of
 * what was appended; records appended after the failure was reported are tried afresh.
 */
export interface Store {
  /**
   * Resolves once the record is on the medium; rejects when it is not, and then never will be, with
   * an `Error` whose message tells a client why: "could not be stored: no space left on the medium".
   */
  append(record: RecordBytes): Promise<void>;
}

/** The audio engine: it acts on changed values, and reports what only it can know (meters). */
export interface Engine {
  /** Told of every change of the live state, once it is in force. */
  apply(patch: Patch): void;
  /** Called once, at start: `report` may be called at any time after with read-only values. */
  start(report: (patch: Patch) => void): void;
}
