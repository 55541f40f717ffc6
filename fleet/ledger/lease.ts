/**
 * Leases of jobs that one hub does for all, such as the backups of a night: in the bucket `jobs` of
 * the ledger, by compare and set. The wall clocks of hubs do not count: a lease is over when this
 * hub has seen the same revision of it for the time of the lease.
 *
 * @module
 */
import type { Json } from "../../core/json.ts";
import type { Timer } from "../../core/ports.ts";
import { followBucket } from "./followed-bucket.ts";
import { isLedgerError, type Ledger } from "./ledger.ts";

/** A lease, as the ledger keeps it. */
interface Kept {
  /** The boot of the hub that has it. */
  readonly hub: string;
  /** Time in ms for which it is valid, unless it is renewed before. */
  readonly ms: number;
}

/** The leases of a fleet. */
export interface Leases {
  /**
   * Takes the lease of a job for a time in ms, or renews it; false if another hub has it, or the
   * ledger did not take the change. The holder of a lease has to renew it well before that time is
   * over.
   */
  take(job: string, ms: number): Promise<boolean>;
  /** Says whether no other hub has the lease of a job, as far as this hub has heard. */
  isFree(job: string): boolean;
  /** Returns the boot of the hub that has the lease of a job, as far as this hub has heard. */
  holder(job: string): string | undefined;
  /** Gives back a lease that this hub has. */
  give(job: string): Promise<void>;
}

/** Follows the leases in a ledger; `hub` is the boot of this hub. */
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

  function isFree(job: string): boolean {
    const lease = jobs.values.get(job);
    if (lease === undefined || lease.hub === hub) return true;
    return timer.monotonic() - seenAt.get(job)! >= lease.ms;
  }

  /**
   * Says whether a change was made; false after a concurrent change, or if the ledger did not take
   * it.
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
    isFree,
    holder: (job) => jobs.values.get(job)?.hub,
    async take(job, ms) {
      if (!isFree(job)) return false;
      const taken = taking.get(job) ?? tried(jobs.put(job, { hub, ms }, jobs.revision(job)))
        .finally(() => taking.delete(job));
      taking.set(job, taken);
      return await taken;
    },
    async give(job) {
      if (jobs.values.get(job)?.hub === hub) await tried(jobs.remove(job, jobs.revision(job)));
    },
  };
}

function readLease(value: Json): Kept | undefined {
  const { hub, ms } = value as unknown as Kept;
  return typeof hub === "string" && typeof ms === "number" ? { hub, ms } : undefined;
}
