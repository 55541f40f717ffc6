/**
 * The lease of the hub that makes the backups, one of several hubs. The other hubs watch the lease,
 * and one of them takes it when it runs out.
 *
 * @module
 */
import type { Leases } from "../ledger/lease.ts";

/** The job whose lease a hub has while it makes the backups. */
const JOB = "backup";

/** Interval in ms at which a hub renews the lease, or tries to take it. */
export const LOOK_MS = 60_000;

/** Time in ms after which another hub may take a lease that was not renewed. */
export const LEASE_MS = 3 * LOOK_MS;

/** Takes or renews the lease; false where another hub has it, or the ledger does not answer. */
export function takeNightly(leases: Leases): Promise<boolean> {
  return leases.take(JOB, LEASE_MS);
}

/** Gives the lease back, so that another hub takes it at its next try. */
export function giveNightly(leases: Leases): Promise<void> {
  return leases.give(JOB);
}
