/**
 * The ledger of a fleet: the state that a hub may not forget, in buckets of keys and values. One
 * hub keeps it in memory or in a log of its own; several hubs share one.
 *
 * @module
 */
import type { Json } from "../../core/json.ts";
import type { ConsoleId, ToldLine } from "../wire.ts";

/**
 * The buckets: the enrolments, the codes for them, the users of the fleet, the templates, the
 * commands, their results and their batches, and the jobs that one hub does for all
 * (`fleet/ledger/lease.ts`).
 */
export const BUCKETS = [
  "consoles",
  "codes",
  "users",
  "templates",
  "commands",
  "results",
  "batches",
  "jobs",
] as const;

/** One of {@link BUCKETS}. */
export type Bucket = typeof BUCKETS[number];

/** A value of a bucket; undefined if it was removed. */
export interface Entry {
  readonly key: string;
  readonly value: Json | undefined;
  /** Larger with each change of the ledger. */
  readonly revision: number;
}

/**
 * An entry of the audit trail of the fleet. The members of {@link ToldLine} are in entries that a
 * console has reported.
 */
export interface FleetAuditEntry extends Omit<ToldLine, "user" | "from"> {
  /** In ISO 8601 and UTC. */
  readonly time: string;
  /** The name of the fleet user; undefined for the hub itself. */
  readonly user: string | undefined;
  readonly from: string;
  /** The console that has reported it; undefined for an entry of the hub itself. */
  readonly console?: ConsoleId;
  /** The number of entries of this console before this one that are not in the trail. */
  readonly lost?: number;
}

/** The ledger of a fleet. */
export interface Ledger {
  /**
   * Stores a value; resolves with its revision once it is durable. With `expect`, only if the
   * revision of the key is `expect`, 0 for a missing key; otherwise rejects with a {@link
   * LedgerError} of the code `conflict`.
   */
  put(bucket: Bucket, key: string, value: Json, expect?: number): Promise<number>;
  /** Removes a key; a missing key is not an error. `expect` is as for `put`. */
  remove(bucket: Bucket, key: string, expect?: number): Promise<void>;
  /**
   * Returns the present revision of a key, 0 for a missing key. Rejects with a {@link LedgerError}
   * where the ledger does not answer.
   */
  revision(bucket: Bucket, key: string): Promise<number>;
  /**
   * Yields all entries of a bucket, then the word "current", then each change. Of several
   * successive changes of one key it may yield the last alone. Ends with the ledger, or when its
   * consumer returns.
   */
  watch(bucket: Bucket): AsyncIterable<Entry | "current">;
  /** Appends to the audit trail. */
  append(entry: FleetAuditEntry): Promise<void>;
  /**
   * Returns the newest entries of the audit trail, the newest first. Rejects with a {@link
   * LedgerError} where the ledger does not answer.
   */
  audit(most: number): Promise<readonly FleetAuditEntry[]>;
  /** Says whether a ledger on other machines is connected now; other ledgers always are. */
  isConnected?(): boolean;
  close(): Promise<void>;
}

/** The reason for which a ledger did not carry out a request. */
export class LedgerError extends Error {
  override readonly name = "LedgerError";
  constructor(
    /**
     * `conflict`: another revision is there. `unavailable`: the ledger is full or cannot be
     * reached, and has not made the change. `unanswered`: it may have made the change, because it
     * did not answer in time, or because the medium failed and may have it after a restart.
     */
    readonly code: "conflict" | "unavailable" | "unanswered",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Says whether a fault is a fault of the ledger. */
export function isLedgerError(fault: unknown): fault is LedgerError {
  // By name: a ledger on NATS is a bundle of its own, with a class of its own.
  return fault instanceof Error && fault.name === "LedgerError";
}
