/**
 * The choice of the hub that makes the backups, among several: it holds a lease, and also makes the
 * backups that are requested at the other hubs. One of these takes the lease when it runs out.
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import type { Leases } from "../ledger/lease.ts";
import type { BetweenHubs } from "../several-hubs/between-hubs.ts";
import type { ConsoleId } from "../wire.ts";
import type { KeptBackup } from "./backup-list.ts";
import { type KeptBackups, LEASE_MS } from "./kept-backups.ts";
import { BACKUP_MS } from "./make-backup.ts";

/** The job whose lease a hub has while it makes the backups. */
const JOB = "backup";

/** Interval in ms at which a hub renews the lease, or tries to take it. */
export const LOOK_MS = LEASE_MS / 3;

/** The subject of a request for one backup, sent to the hub that makes them. */
const ASKED = "backup";

/** Additional time in ms for such a question, and its answer, to pass between the hubs. */
const WAY_MS = 10_000;

/** Takes or renews the lease; false where another hub has it, or the ledger does not answer. */
export function takeNightly(leases: Leases): Promise<boolean> {
  return leases.take(JOB, LEASE_MS);
}

/** This hub as one of several, of which one makes the backups. */
export interface NightlyHub {
  /** Says whether this hub makes the backups. */
  isOurs(): boolean;
  /**
   * Takes or renews the lease; resolves once it has, or has failed to. A look that begins while an
   * earlier one is under way waits for that one.
   */
  look(): Promise<void>;
  /** Asks the hub that makes the backups for a backup; refused (12) once that hub is lost. */
  ask(id: ConsoleId): Promise<KeptBackup | Refusal>;
  /**
   * Gives the lease back, so that another hub takes it, once the backups that are being listed are
   * listed.
   */
  close(): Promise<void>;
}

/** The parts of {@link joinNightly}. */
export interface NightlyHubParts {
  readonly leases: Leases;
  readonly between: BetweenHubs | undefined;
  readonly kept: Pick<KeptBackups, "read" | "clear" | "settled">;
  /** Makes a backup for another hub, or returns why it could not be made. */
  readonly make: (id: ConsoleId) => Promise<KeptBackup | Refusal>;
  readonly onFault: (fault: unknown) => void;
}

/** Makes this hub one of several; it does not have the lease yet. */
export function joinNightly(
  { leases, between, kept, make, onFault }: NightlyHubParts,
): NightlyHub {
  let isOurs = false;
  let stopAnswering = () => {};
  let isClosed = false;
  let looking: Promise<void> | undefined;

  async function answer(asked: Json): Promise<Json> {
    return await make(asked as ConsoleId) as unknown as Json;
  }

  /** A hub that newly takes the lease reads the lists again, and removes unfinished archives. */
  async function takeOver(): Promise<void> {
    const wasOurs = isOurs;
    try {
      // A hub that cannot read the folder, or waits for that, leaves the lease to another.
      await kept.read();
      const isTaken = await takeNightly(leases);
      if (isClosed) {
        isOurs = isTaken;
        return;
      }
      if (isTaken && !wasOurs) {
        await kept.read();
        await kept.clear();
        stopAnswering = between?.serve(ASKED, answer) ?? stopAnswering;
      }
      if (!isTaken) stopAnswering();
      isOurs = isTaken;
    } catch (fault) {
      isOurs = false;
      stopAnswering();
      await leases.release(JOB);
      throw fault;
    }
  }

  return {
    // The lease may be another hub's by now, while a slow ledger holds a look.
    isOurs: () => isOurs && leases.canTake(JOB),
    look: () => looking ??= takeOver().catch(onFault).finally(() => looking = undefined),
    async ask(id) {
      const holder = leases.holder(JOB);
      if (holder === undefined) return refuse("notStored", NO_HUB);
      const lost = Promise.withResolvers<never>();
      const stop = between!.onLost(holder, () => lost.reject());
      let answer: Json;
      try {
        answer = await Promise.race([between!.ask(ASKED, id, BACKUP_MS + WAY_MS), lost.promise]);
      } catch {
        return refuse("notStored", NO_HUB);
      } finally {
        stop();
      }
      // The backup is there, even if this hub cannot read the lists now.
      await kept.read().catch(onFault);
      return answer as unknown as KeptBackup | Refusal;
    },
    async close() {
      isClosed = true;
      stopAnswering();
      // A lease that is being taken now is given back, too.
      await looking;
      await kept.settled();
      if (isOurs) await leases.release(JOB);
    },
  };
}

const NO_HUB = "the hub that makes the backups does not answer; another one takes over within " +
  "four minutes";
