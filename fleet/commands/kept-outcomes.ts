/**
 * Settles kept commands: reports the outcome of each, stores it, and removes the command.
 *
 * @module
 */
import type { Clock } from "../../core/ports.ts";
import type { Command, KnownOutcome } from "./command.ts";
import { type Became, type CommandsParts, EXPIRED, keyOf, type Tell } from "./command-way.ts";
import type { Kept, KeptQueue } from "./kept-queue.ts";
import { becameOf, type KeptResults } from "./kept-results.ts";
import { COMMAND_ANSWER_MS, UNKNOWN_ASKED_MS } from "../hub/hub-limits.ts";
import type { FollowedBucket } from "../ledger/followed-bucket.ts";
import { isLedgerError } from "../ledger/ledger.ts";

/** The outcomes of the kept commands of a hub. */
export interface KeptOutcomes {
  /** Takes the outcome that the ledger has of a command. */
  conclude(one: Kept, became: Became): void;
  /**
   * Reports the outcome of a command, and removes the command once the outcome is in the ledger. A
   * refusal is reported only then: a hub that restarts before that sends the command again, and a
   * console that refused it may carry it out. An expiry is also reported only then: another hub may
   * have sent the command at the last moment, or may still send it.
   */
  settle(one: Kept, became: Became): void;
  /**
   * Settles a command that is not sent any more; as `unknown` if it may have been sent earlier,
   * because nobody knows whether it was begun. A command that has an outcome keeps it.
   */
  settleUnsent(one: Kept, became: Became): void;
  /**
   * Says whether a hub may have sent a command: the ledger has a result of it other than a first
   * claim of this hub, which has not sent it yet.
   */
  mayBeSent(one: Kept): boolean;
  /** Settles a command that has expired, and stores again what the ledger did not take. */
  look(one: Kept): void;
  /** Returns the present outcome of a command; undefined for an unknown command. */
  of(command: Pick<Command, "console" | "id">): KnownOutcome | undefined;
}

/** The parts of {@link createKeptOutcomes}. */
export interface KeptOutcomesParts {
  readonly queue: KeptQueue;
  /** The commands in the ledger. */
  readonly commands: Pick<FollowedBucket<Command>, "remove">;
  readonly results: KeptResults;
  readonly clock: Pick<Clock, "now">;
  readonly tell: Tell;
  readonly onFault: CommandsParts["onFault"];
}

/** Makes the outcomes; their state is in the ledger, and in the commands of the queue. */
export function createKeptOutcomes(
  { queue, commands, results, clock, tell, onFault }: KeptOutcomesParts,
): KeptOutcomes {
  function conclude(one: Kept, became: Became): void {
    if (became.outcome === "unknown") return tellUnknown(one);
    if (one.became?.outcome === "done") return;
    tell(one.command, became);
    // It takes the place of an outcome that this hub was about to store.
    one.became = became;
    store(one, became, one.revision);
  }

  function tellUnknown(one: Kept): void {
    if (one.isDoubted) return;
    one.isDoubted = true;
    tell(one.command, UNANSWERED);
  }

  function settle(one: Kept, became: Became): void {
    if (one.became !== undefined) return;
    one.became = became;
    if (became.outcome === "unknown") tellUnknown(one);
    else if (isToldAtOnce(became)) tell(one.command, became);
    store(one, became, one.revision);
  }

  /**
   * Stores the outcome of a command, and removes the command; a command whose outcome is not known
   * yet goes on waiting for its console.
   */
  async function store(one: Kept, became: Became, revision: number): Promise<void> {
    if (one.isStoring) return;
    one.isStoring = true;
    const { command } = one;
    try {
      if (results.of(command)?.outcome !== became.outcome) {
        const stored = await results.store(command, became, revision);
        // The answer of the console to the last frame still counts.
        if (one.revision === revision) one.revision = stored;
      }
      if (one.became?.outcome !== became.outcome) return;
      await commands.remove(keyOf(command.console, command.id));
      queue.remove(command);
      await results.forgetOld();
    } catch (fault) {
      if (!isLedgerError(fault)) onFault(fault);
      // Another change that the ledger did not take is tried again at the next look.
      else if (fault.code === "conflict" && one.became === became) {
        one.became = undefined;
        // The console repeats its answer, unless the ledger has the outcome already.
        one.sentOn = undefined;
      }
    } finally {
      one.isStoring = false;
    }
  }

  function mayBeSent({ command, claim }: Kept): boolean {
    if (results.of(command) === undefined) return false;
    return !claim?.isFirst || claim.revision !== results.revision(command);
  }

  function settleUnsent(one: Kept, became: Became): void {
    // An outcome that is not stored yet rests on the revision at which it was concluded.
    if (one.became !== undefined) return;
    const known = results.of(one.command);
    one.revision = results.revision(one.command);
    if (known === undefined || !mayBeSent(one)) settle(one, became);
    else settle(one, known.outcome === "sent" ? UNANSWERED : becameOf(known));
  }

  function look(one: Kept): void {
    if (one.became !== undefined) {
      store(one, one.became, one.revision);
      return;
    }
    const now = clock.now();
    const { expires } = one.command;
    if (!mayBeSent(one)) {
      if (now >= expires) settleUnsent(one, EXPIRED);
    } else if (now >= expires + UNKNOWN_ASKED_MS) {
      settleUnsent(one, UNANSWERED);
    } else if (
      results.of(one.command)?.outcome === "sent" && now >= expires + COMMAND_ANSWER_MS
    ) {
      tellUnknown(one);
      store(one, UNANSWERED, results.revision(one.command));
    }
  }

  return {
    conclude,
    settle,
    settleUnsent,
    mayBeSent,
    look,
    of(command) {
      const known = results.of(command);
      const one = queue.find(command);
      // Outcomes that are told at once count before the ledger has them.
      const told = one?.became ?? (one?.isDoubted ? UNANSWERED : undefined);
      if (told !== undefined && isToldAtOnce(told) && told.outcome !== known?.outcome) {
        return { ...told, time: clock.now() };
      }
      if (known !== undefined) return { ...becameOf(known), time: known.time };
      return one && { outcome: "queued", time: undefined };
    },
  };
}

/** Says whether an outcome is told before the ledger has it. */
function isToldAtOnce(became: Became): boolean {
  return became.outcome === "done" || became.outcome === "unknown";
}

/** The outcome of a command that was sent, and that its console has not answered. */
export const UNANSWERED: Became = {
  outcome: "unknown",
  why: "it was sent, and its time was over before the console answered: nobody knows whether it " +
    "was carried out",
};
