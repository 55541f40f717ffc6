/**
 * The batches of kept commands in the ledger. A hub needs them, in addition to the commands and
 * their results, to show such a batch and to do it again after a restart, and where another hub
 * took it.
 *
 * @module
 */
import { isBranch } from "../../core/tree/tree.ts";
import type { Clock } from "../../core/ports.ts";
import type { CommandKind, CommandRequest, CommandResult } from "../commands/command.ts";
import { RESULTS, STORED_BATCH_BYTES, STORED_BATCHES } from "../hub/hub-limits.ts";
import type { Json } from "../../core/json.ts";
import { followBucket } from "../ledger/followed-bucket.ts";
import { isLedgerError, type Ledger } from "../ledger/ledger.ts";
import type { ConsoleId } from "../wire.ts";

/** The terms of a batch: the request to its consoles, its times, and its conditions. */
export interface BatchTerms {
  readonly request: CommandRequest;
  readonly kind: CommandKind;
  /** Time in ms for which each console may wait to begin, counted from `at` where that is given. */
  readonly expires?: number | undefined;
  /** When all begin, in ms since 1970 by the clock of the hub. */
  readonly at?: number | undefined;
  /** Whether all of a live batch begin at one instant, which the hub chooses. */
  readonly together: boolean;
  /** Required values of a console, by their paths. */
  readonly require?: Readonly<Record<string, Json>> | undefined;
  /** Whether a console on air is touched, too. */
  readonly force: boolean;
}

/** The origin of a batch: who had it made, when, and for which times. */
export interface BatchOrigin {
  /** 32 lower-case hexadecimal digits. */
  readonly id: string;
  /** The name of the user. */
  readonly by: string;
  /** The time when that user was added: a later user of the same name is another one. */
  readonly userSince?: string | undefined;
  /** When it was taken, when it expires and when it begins, in ms since 1970. */
  readonly created: number;
  readonly expires: number;
  readonly at?: number | undefined;
  /** The id of the batch whose failed consoles this batch tries again. */
  readonly again?: string | undefined;
}

/** The contents of the record of a batch in the ledger. */
export interface BatchRecord extends BatchOrigin {
  readonly order: BatchTerms;
  /** The consoles in the order in which they were selected. */
  readonly consoles: readonly ConsoleId[];
  /** The refused consoles for which the ledger has neither a command nor a result. */
  readonly refused: Readonly<Record<ConsoleId, Pick<CommandResult, "why" | "code">>>;
}

/** A batch, as the ledger has it. */
export interface StoredBatch extends BatchRecord {
  /** Length of the record as JSON without this member, in characters. */
  readonly length: number;
}

/** The batches of the ledger. */
export interface StoredBatches {
  /** Returns the batch of an id; undefined where there is none, and for one that is too old. */
  find(id: string): StoredBatch | undefined;
  /**
   * Stores a batch, in place of the one of the same id that this hub knows, and forgets those that
   * are too old or beyond the limits. Rejects as {@link Ledger.put} does.
   */
  store(batch: BatchRecord): Promise<void>;
  /** Forgets a batch. Rejects as {@link Ledger.remove} does. */
  forget(id: string): Promise<void>;
}

/** Number of batches, and the sum of their lengths. */
interface Sum {
  batches: number;
  length: number;
}

/** Follows the batches in a ledger. */
export async function followStoredBatches(
  ledger: Ledger,
  { clock }: { readonly clock: Pick<Clock, "now"> },
): Promise<StoredBatches> {
  const stored = await followBucket(ledger, "batches", readBatch);

  function isOld({ created }: StoredBatch): boolean {
    return created < clock.now() - RESULTS.ms;
  }

  /** Forgets the batches that are too old, and the oldest ones beyond the limits. */
  async function forgetOld(): Promise<void> {
    const all: Sum = { batches: 0, length: 0 };
    const ofUsers = new Map<string, Sum>();
    const newestFirst = [...stored.values.values()].sort((one, other) =>
      other.created - one.created
    );
    for (const batch of newestFirst) {
      const ofUser = ofUsers.get(batch.by) ?? { batches: 0, length: 0 };
      ofUsers.set(batch.by, ofUser);
      for (const sum of [all, ofUser]) {
        sum.batches++;
        sum.length += batch.length;
      }
      const isBeyond = isMore(ofUser, "ofUser") || isMore(all, "all");
      if (isOld(batch) || isBeyond) await forget(batch.id);
    }
  }

  async function forget(id: string): Promise<void> {
    if (stored.values.has(id)) await stored.remove(id);
  }

  return {
    find(id) {
      const batch = stored.values.get(id);
      return batch === undefined || isOld(batch) ? undefined : batch;
    },
    async store(batch) {
      const { length } = JSON.stringify(batch);
      await stored.put(batch.id, { ...batch, length }, stored.revision(batch.id));
      try {
        await forgetOld();
      } catch (fault) {
        // The next batch tries again.
        if (!isLedgerError(fault)) throw fault;
      }
    },
    forget,
  };
}

function isMore({ batches, length }: Sum, most: "all" | "ofUser"): boolean {
  return batches > STORED_BATCHES[most] || length > STORED_BATCH_BYTES[most];
}

function readBatch(value: Json): StoredBatch | undefined {
  const batch = value as unknown as StoredBatch;
  const isBatch = [batch.id, batch.by].every((text) => typeof text === "string") &&
    [batch.created, batch.expires, batch.length].every((time) => typeof time === "number") &&
    Array.isArray(batch.consoles) && isBranch(batch.refused) && isBranch(batch.order?.request);
  return isBatch ? batch : undefined;
}
