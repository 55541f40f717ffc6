/**
 * Sends kept commands to consoles that are live.
 *
 * @module
 */
import { isRefusal } from "../../core/errors.ts";
import { type CommandsParts, frameOf, reach, refusedBy } from "./command-way.ts";
import { type KeptOutcomes, UNANSWERED } from "./kept-outcomes.ts";
import type { KeptQueue } from "./kept-queue.ts";
import type { KeptResults } from "./kept-results.ts";
import { KEPT_SENT } from "../hub/hub-limits.ts";
import { isLedgerError } from "../ledger/ledger.ts";
import type { ConsoleId } from "../wire.ts";

/** Sends the kept commands of a hub. */
export interface KeptSender {
  /** Sends what can be sent to a console, one command after the other. */
  send(id: ConsoleId): Promise<void>;
  /** Begins to send no further command. */
  close(): void;
}

/** The commands that a {@link KeptSender} sends. */
export interface SentCommands {
  readonly queue: KeptQueue;
  readonly results: KeptResults;
  readonly outcomes: KeptOutcomes;
}

/** Makes the sender of the kept commands of a queue. */
export function createKeptSender(
  parts: CommandsParts,
  { queue, results, outcomes }: SentCommands,
): KeptSender {
  const { clock, console: consoleOf, sender, onFault } = parts;
  /** The consoles to which commands are being sent. */
  const sending = new Set<ConsoleId>();
  const wanted = new Set<ConsoleId>();
  let isClosed = false;

  async function send(id: ConsoleId): Promise<void> {
    wanted.add(id);
    if (sending.has(id)) return;
    sending.add(id);
    try {
      // A call of `send` during the last look is not missed.
      while (wanted.delete(id)) while (await sendNext(id));
    } catch (fault) {
      if (!isLedgerError(fault)) onFault(fault);
    } finally {
      sending.delete(id);
    }
  }

  /** Sends the next command; returns false where none can be sent now. */
  async function sendNext(id: ConsoleId): Promise<boolean> {
    if (consoleOf(id)?.state !== "live") return false;
    const line = sender(id);
    const all = queue.of(id).filter(({ became }) => became === undefined);
    const now = clock.now();
    // A console is asked about an expired command that it may have been sent before.
    const next = all.find((one) =>
      one.sentOn !== line && (one.command.at ?? 0) <= now &&
      (now < one.command.expires || outcomes.mayBeSent(one))
    );
    const sent = all.filter(({ sentOn }) => sentOn === line).length;
    if (isClosed || line === undefined || next === undefined || sent >= KEPT_SENT) return false;
    const reached = reach(parts, next.command);
    if (isRefusal(reached)) {
      // The next look tries again: by then this hub may have heard of the user and the console.
      if (!await parts.isCurrent(next.command)) return false;
      outcomes.settleUnsent(next, refusedBy(reached));
      return true;
    }
    const known = results.revision(next.command);
    const isClaimed = next.claim?.line === line && next.claim.revision === known;
    if (now < next.command.expires && !isClaimed) {
      const isLess = reached.as.may !== next.command.by.may;
      if (isLess && !await parts.isCurrent(next.command)) return false;
      const isFirst = !outcomes.mayBeSent(next);
      next.claim = { line, revision: await results.claim(next.command), isFirst };
      // The connection, the time and the rights of the user may have changed by now.
      return true;
    }
    // An answer that it has expired says nothing of an earlier time at which it was sent.
    if (now >= next.command.expires) outcomes.conclude(next, UNANSWERED);
    next.claim = undefined;
    next.sentOn = line;
    next.revision = known;
    reached.send(frameOf(next.command, reached.as));
    return true;
  }

  return {
    send,
    close: () => void (isClosed = true),
  };
}
