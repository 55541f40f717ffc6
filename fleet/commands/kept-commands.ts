/**
 * Kept commands: each waits in the ledger until its console is live, is sent, and sent again with
 * the same id on each further connection, until the console has answered with its outcome.
 *
 * A result `sent` is stored before the first frame. So a hub that has restarted knows which
 * commands its consoles may have begun. Such a command becomes `unknown` after its expiry, and
 * still waits for its console. When the console is back, the hub sends it the same frame: the
 * console begins no command that has expired, and answers what it did.
 *
 * A console remembers what it has done, and not what it has refused. So the result `sent` is stored
 * anew for each connection, at the revision that the hub knows, and a refusal or an expiry counts
 * only if that result is still the last: of two hubs that both seem to hold a console, neither
 * sends a command that the other has settled, nor settles one that the other has sent since.
 *
 * @module
 */
import { after } from "../../core/ports.ts";
import type { Command, Commands } from "./command.ts";
import { type CommandsParts, refusedBy, type Send, type Tell } from "./command-way.ts";
import { storeCommand } from "./store-command.ts";
import { unreachable } from "../hub/console-state.ts";
import type { CommandAnswers } from "../hub/dialled.ts";
import { createKeptOutcomes, UNANSWERED } from "./kept-outcomes.ts";
import { createKeptQueue, readCommand } from "./kept-queue.ts";
import { becameOf, followKeptResults } from "./kept-results.ts";
import { createKeptSender } from "./kept-sender.ts";
import { followBucket } from "../ledger/followed-bucket.ts";
import { KEPT_LOOK_MS } from "../hub/hub-limits.ts";
import { isLedgerError } from "../ledger/ledger.ts";
import type { ConsoleId, FromConsole } from "../wire.ts";

/** The kept commands of a hub. */
export interface KeptCommands extends Pick<CommandAnswers, "lost">, Pick<Commands, "outcomeOf"> {
  /** Resolves once the ledger has the command, has not taken it, or has not answered in time. */
  submit(command: Command): Promise<void>;
  /** `line` is the connection that the answer came by. */
  answered(
    console: ConsoleId,
    did: Extract<FromConsole, { readonly type: "did" }>,
    line: Send,
  ): void;
  close(): void;
}

/** Follows the kept commands in a ledger. */
export async function followKeptCommands(parts: CommandsParts, tell: Tell): Promise<KeptCommands> {
  const { ledger, clock, timer, console: consoleOf, onFault } = parts;
  const queue = createKeptQueue();
  /** The consoles whose removal is being looked up in the ledger. */
  const settling = new Set<ConsoleId>();
  let cancelLook = () => {};

  const results = await followKeptResults({
    ledger,
    clock,
    isWaiting: (key) => commands.values.has(key),
    forgetBatch: parts.forgetBatch,
    changed(result) {
      const one = queue.find(result);
      if (one === undefined) {
        // A result of another hub, whose removal of the command may arrive before the result.
        if (result.outcome !== "sent") tell(result, becameOf(result));
        return;
      }
      if (result.outcome !== "sent") outcomes.conclude(one, becameOf(result));
      else if (one.became === undefined) tell(one.command, { outcome: "sent" });
    },
  });
  const commands = await followBucket(ledger, "commands", readCommand, (key, before) => {
    const command = commands.values.get(key);
    if (command !== undefined) take(command);
    else if (before !== undefined) queue.remove(before);
  });
  const outcomes = createKeptOutcomes({ queue, commands, results, clock, tell, onFault });
  const sender = createKeptSender(parts, { queue, results, outcomes });
  for (const command of commands.values.values()) take(command);
  const stopWatching = parts.watchConsoles((id, entry) => {
    if (entry?.state === "live" && queue.of(id).length > 0) sender.send(id);
  });
  look();

  function take(command: Command): void {
    const one = queue.add(command);
    if (one === undefined) return;
    const result = results.of(command);
    if (result === undefined) tell(command, { outcome: "queued" });
    if (result !== undefined && result.outcome !== "sent") outcomes.conclude(one, becameOf(result));
    if (one.became === undefined) sender.send(command.console);
  }

  /** Looks for commands that have expired, and tries again what the ledger did not take. */
  function look(): void {
    cancelLook = after(timer, KEPT_LOOK_MS, look);
    for (const id of queue.consoles()) {
      if (consoleOf(id) === undefined) settleRemoved(id);
      else for (const one of queue.of(id)) outcomes.look(one);
      sender.send(id);
    }
  }

  /**
   * Settles the commands of a console that was removed; those of a console of which this hub hears
   * late go on waiting.
   */
  async function settleRemoved(id: ConsoleId): Promise<void> {
    if (settling.has(id)) return;
    settling.add(id);
    try {
      for (const one of queue.of(id)) {
        const isRemoved = one.became === undefined && await parts.isCurrent(one.command) &&
          consoleOf(id) === undefined;
        if (!isRemoved) outcomes.look(one);
        else outcomes.settleUnsent(one, refusedBy(unreachable(undefined, id)));
      }
    } catch (fault) {
      if (!isLedgerError(fault)) onFault(fault);
    } finally {
      settling.delete(id);
    }
  }

  return {
    submit: (command) => storeCommand(command, parts, { queue, results }, tell),
    outcomeOf: outcomes.of,
    answered(console, { type: _, id, ...became }, line) {
      const one = queue.find({ console, id });
      if (one === undefined) return;
      // It was sent again since: a console that has restarted may decide otherwise now.
      const isOld = one.sentOn !== undefined && one.sentOn !== line;
      if (isOld && became.outcome !== "done") return;
      // The console may have carried it out long ago, and have forgotten its id.
      outcomes.settle(one, one.isDoubted && became.outcome === "expired" ? UNANSWERED : became);
      sender.send(console);
    },
    lost(console, send) {
      for (const one of queue.of(console)) {
        if (one.sentOn === send) one.sentOn = undefined;
      }
    },
    close() {
      sender.close();
      cancelLook();
      stopWatching();
    },
  };
}
