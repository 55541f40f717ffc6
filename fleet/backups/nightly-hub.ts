/**
 * Which of several hubs makes the backups: the one that has the lease. The others look whether it
 * still stands, and one of them takes it where it does not.
 *
 * @module
 */
import type { Leases } from "../ledger/lease.ts";

/** The job whose lease a hub has while it makes the backups. */
const JOB = "backup";

/** Interval in ms at which a hub renews the lease, or looks whether it can have it. */
export const LOOK_MS = 60_000;

/** Time in ms after which another hub takes the lease of one that does not renew it. */
export const LEASE_MS = 3 * LOOK_MS;

/** Takes or renews the lease; false where another hub has it, or the ledger does not answer. */
export function takeNightly(leases: Leases): Promise<boolean> {
  return leases.take(JOB, LEASE_MS);
}

/** Gives the lease back, so that another hub takes it at its next look. */
export function giveNightly(leases: Leases): Promise<void> {
  return leases.give(JOB);
}
