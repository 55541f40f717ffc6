/**
 * Leases: each says which one hub does a job, such as the nightly backups, for all hubs. They are
 * entries of the bucket `jobs` of the ledger, and are changed by compare-and-set. Wall clocks are
 * not compared: for this hub a lease has expired when its revision has not changed for the duration
 * of the lease, by the hub's monotonic clock.
 *
 * @module
 */
import type { Json } from "../../core/json.ts";
import type { Timer } from "../../core/ports.ts";
import { followBucket } from "./followed-bucket.ts";
import { isLedgerError, type Ledger } from "./ledger.ts";

/** A lease, as the ledger stores it. */
interface StoredLease {
  /** The id of the current run of the hub that has it (its `boot`). */
  readonly hub: string;
  /** Time in ms for which it is valid, unless it is renewed before. */
  readonly ms: number;
}

/** The leases of a fleet. */
export interface Leases {
  /**
   * Takes the lease of a job for a time in ms, or renews it; false if another hub has it, or the
   * ledger did not confirm the change. The holder of a lease has to renew it well before that time is
   * over.
   */
  take(job: string, ms: number): Promise<boolean>;
  /**
   * Says whether this hub may take or renew the lease of a job, as far as it has heard: no other
   * hub has the lease, or that lease has expired.
   */
  canTake(job: string): boolean;
  /**
   * Returns the run id of the hub that took the lease of a job last, as far as this hub has heard,
   * even if the lease has expired since; undefined if no hub has taken it, or the last one gave it
   * back.
   */
  holder(job: string): string | undefined;
  /** Gives back a lease that this hub has. */
  release(job: string): Promise<void>;
}

/** Follows the leases in a ledger; `hub` is the id of the current run of this hub. */
export async function followLeases(
  ledger: Ledger,
  { hub, timer }: { readonly hub: string; readonly timer: Timer },
): Promise<Leases> {
  /** When this hub saw the present revision of each lease. */
  const seenAt = new Map<string, number>();
  /** The leases that this hub is taking: a second change at the same revision would conflict. */
  const taking = new Map<string, Promise<boolean>>();
  const jobs = await followBucket(ledger, "jobs", readLease, (job) => {
    seenAt.set(job, timer.monotonic());
  });
  for (const job of jobs.values.keys()) seenAt.set(job, timer.monotonic());

  function canTake(job: string): boolean {
    const lease = jobs.values.get(job);
    if (lease === undefined || lease.hub === hub) return true;
    return timer.monotonic() - seenAt.get(job)! >= lease.ms;
  }

  /**
   * Says whether a change was made; false after a concurrent change, or if the ledger did not
   * confirm it, and may have stored it nevertheless.
   */
  async function tried(change: Promise<unknown>): Promise<boolean> {
    try {
      await change;
      return true;
    } catch (fault) {
      if (!isLedgerError(fault)) throw fault;
      return false;
    }
  }

  return {
    canTake,
    holder: (job) => jobs.values.get(job)?.hub,
    async take(job, ms) {
      if (!canTake(job)) return false;
      const taken = taking.get(job) ?? tried(jobs.put(job, { hub, ms }, jobs.revision(job)))
        .finally(() => taking.delete(job));
      taking.set(job, taken);
      return await taken;
    },
    async release(job) {
      if (jobs.values.get(job)?.hub === hub) await tried(jobs.remove(job, jobs.revision(job)));
    },
  };
}

function readLease(value: Json): StoredLease | undefined {
  const { hub, ms } = value as unknown as StoredLease;
  return typeof hub === "string" && typeof ms === "number" ? { hub, ms } : undefined;
}
