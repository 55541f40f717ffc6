/**
 * Kept commands: each waits in the ledger until its console is live, is sent, and sent again with
 * the same id on each further connection, until the console has answered with its outcome.
 *
 * A result `sent` is stored before the first frame. So a hub that has restarted knows which
 * commands its consoles may have begun. Such a command becomes `unknown` after its expiry, and
 * still waits for its console. When the console is back, the hub sends it the same frame: the
 * console begins no command that has expired, and answers what it did.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { after } from "../../core/ports.ts";
import type { Command, Commands } from "./command.ts";
import {
  type Became,
  type CommandsParts,
  EXPIRED,
  frameOf,
  keyOf,
  reach,
  refusedBy,
  type Send,
  type Tell,
} from "./command-way.ts";
import { directRefusal } from "../direct/direct-command.ts";
import { unreachable } from "../hub/console-state.ts";
import type { CommandAnswers } from "../hub/dialled.ts";
import { becameOf, followKeptResults } from "./kept-results.ts";
import { bytesOf, createKeptQueue, type Kept, readCommand } from "./kept-queue.ts";
import { followBucket } from "../ledger/followed-bucket.ts";
import {
  COMMAND_ANSWER_MS,
  EXPIRY_MS,
  KEPT_LOOK_MS,
  KEPT_SENT,
  UNKNOWN_ASKED_MS,
} from "../hub/hub-limits.ts";
import { isLedgerError } from "../ledger/ledger.ts";
import { isUnheard } from "../batches/on-air.ts";
import { unavailable } from "../ledger/unavailable.ts";
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
  const { ledger, clock, timer, console: consoleOf, held, sender, vouchedAt, refresh } = parts;
  const queue = createKeptQueue();
  /** The consoles to which commands are being sent. */
  const sending = new Set<ConsoleId>();
  const wanted = new Set<ConsoleId>();
  let isClosed = false;
  let cancelLook = () => {};

  const results = await followKeptResults({
    ledger,
    clock,
    isWaiting: (key) => commands.values.has(key),
    forgetBatch: parts.forgetBatch,
    changed(result) {
      const one = queue.find(result);
      if (one === undefined) {
        // Of another hub, whose removal of the command may arrive before the result.
        if (result.outcome !== "sent") tell(result, becameOf(result));
        return;
      }
      if (result.outcome !== "sent") conclude(one, becameOf(result));
      else if (one.became === undefined) tell(one.command, { outcome: "sent" });
    },
  });
  const commands = await followBucket(ledger, "commands", readCommand, (key, before) => {
    const command = commands.values.get(key);
    if (command !== undefined) take(command);
    else if (before !== undefined) queue.remove(before);
  });
  for (const command of commands.values.values()) take(command);
  const stopWatching = parts.watchConsoles((id, entry) => {
    if (entry?.state === "live" && queue.of(id).length > 0) send(id);
  });
  look();

  function take(command: Command): void {
    const one = queue.add(command);
    if (one === undefined) return;
    const result = results.of(command);
    if (result === undefined) tell(command, { outcome: "queued" });
    if (result !== undefined && result.outcome !== "sent") conclude(one, becameOf(result));
    if (one.became === undefined) send(command.console);
  }

  /** Takes the outcome that the ledger has of a command. */
  function conclude(one: Kept, became: Became): void {
    if (became.outcome === "unknown") return tellUnknown(one);
    if (became.outcome === "refused" || one.became === EXPIRED) tell(one.command, became);
    settle(one, became);
  }

  function tellUnknown(one: Kept): void {
    if (one.isDoubted) return;
    one.isDoubted = true;
    tell(one.command, UNANSWERED);
  }

  /**
   * Reports the outcome of a command, and removes the command once the outcome is in the ledger. A
   * refusal is reported only then: a hub that restarts before sends the command again, and a console
   * that refused it may carry it out. So is an expiry: another hub may have sent the command at the
   * last moment.
   */
  function settle(one: Kept, became: Became): void {
    if (one.became !== undefined) return;
    one.became = became;
    if (became.outcome === "unknown") tellUnknown(one);
    else if (became.outcome !== "refused" && became !== EXPIRED) tell(one.command, became);
    store(one, became);
  }

  /**
   * Stores the outcome of a command, and removes the command; one whose outcome the hub does not
   * know yet goes on waiting for its console.
   */
  async function store(one: Kept, became: Became): Promise<void> {
    if (one.isStoring) return;
    one.isStoring = true;
    const { command } = one;
    try {
      if (results.of(command)?.outcome !== became.outcome) await results.store(command, became);
      if (one.became !== became) return;
      await commands.remove(keyOf(command.console, command.id));
      queue.remove(command);
      await results.forgetOld();
    } catch (fault) {
      if (!isLedgerError(fault)) parts.onFault(fault);
      // Another change that the ledger did not take is tried again at the next look.
      else if (fault.code === "conflict") one.became = undefined;
    } finally {
      one.isStoring = false;
    }
  }

  /** Sends what can be sent to a console, one command after the other. */
  async function send(id: ConsoleId): Promise<void> {
    wanted.add(id);
    if (sending.has(id)) return;
    sending.add(id);
    try {
      // What comes while the last look ends is looked for, too.
      while (wanted.delete(id)) while (await sendNext(id));
    } catch (fault) {
      if (!isLedgerError(fault)) parts.onFault(fault);
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
    const next = all.find(({ sentOn, isDoubted, command: { at = 0, expires } }) =>
      sentOn !== line && at <= now && (isDoubted || now < expires)
    );
    const sent = all.filter(({ sentOn }) => sentOn === line).length;
    if (isClosed || line === undefined || next === undefined || sent >= KEPT_SENT) return false;
    const reached = reach(parts, next.command);
    if (isRefusal(reached)) {
      settleUnsent(next, refusedBy(reached));
      return true;
    }
    if (results.of(next.command) === undefined) {
      await results.storeSent(next.command);
      // The connection, the time and the rights of the user may be others by now.
      return true;
    }
    next.sentOn = line;
    reached.send(frameOf(next.command, reached.as));
    return true;
  }

  /** Settles a command that is not sent any more: whether it was begun earlier is not known. */
  function settleUnsent(one: Kept, became: Became): void {
    const known = results.of(one.command);
    if (known === undefined) settle(one, became);
    else settle(one, known.outcome === "sent" ? UNANSWERED : becameOf(known));
  }

  /** Looks for commands that have expired, and tries again what the ledger did not take. */
  function look(): void {
    cancelLook = after(timer, KEPT_LOOK_MS, look);
    const now = clock.now();
    for (const id of queue.consoles()) {
      const isRemoved = consoleOf(id) === undefined;
      for (const one of queue.of(id)) {
        if (one.became !== undefined) store(one, one.became);
        else if (isRemoved) settleUnsent(one, refusedBy(unreachable(undefined, id)));
        else lookAtTime(one, now);
      }
      send(id);
    }
  }

  function lookAtTime(one: Kept, now: number): void {
    const { expires } = one.command;
    const known = results.of(one.command);
    if (known === undefined) {
      if (now >= expires) settle(one, EXPIRED);
    } else if (now >= expires + UNKNOWN_ASKED_MS) {
      settleUnsent(one, UNANSWERED);
    } else if (known.outcome === "sent" && now >= expires + COMMAND_ANSWER_MS) {
      tellUnknown(one);
      store(one, UNANSWERED);
    }
  }

  function refusalOf(command: Command): Refusal | undefined {
    const { console, expires, request, by } = command;
    const now = clock.now();
    if (!isUnheard(request)) {
      const why = "expected a live command: what may be heard is not kept";
      return refuse("invalidParameter", why, "kind");
    }
    if (expires <= now || expires > now + EXPIRY_MS.kept.max) {
      const expected = `expected a time within ${EXPIRY_MS.kept.max} ms from now`;
      return refuse("invalidParameter", expected, "expires");
    }
    const vouched = vouchedAt(by, console);
    if (isRefusal(vouched)) return vouched;
    const entry = consoleOf(console);
    if (entry === undefined || entry.state === "quarantined") return unreachable(entry, console);
    if (held(console) !== undefined) return directRefusal(command);
  }

  return {
    async submit(command) {
      const { console, id } = command;
      const known = results.of(command);
      if (known !== undefined) return tell(command, becameOf(known));
      if (queue.find(command) !== undefined) return;
      // A later user of the same name is another user.
      const { created } = (refresh(command.by) ?? {}) as { readonly created?: string };
      const { name, may } = command.by;
      const by = { name, may, ...(created === undefined ? {} : { created }) };
      const stored = { ...command, by };
      const bytes = bytesOf(stored);
      const refusal = refusalOf(command) ?? queue.quota.refusal(console, bytes);
      if (refusal !== undefined) return tell(command, refusedBy(refusal));
      queue.quota.take(console, bytes);
      try {
        await commands.put(keyOf(console, id), stored, 0);
      } catch (fault) {
        if (!isLedgerError(fault)) throw fault;
        const isThere = queue.find(command) !== undefined || results.of(command) !== undefined;
        if (fault.code === "conflict" || isThere) return;
        tell(command, fault.code === "unanswered" ? MAY_BE_STORED : refusedBy(unavailable(fault)));
      } finally {
        queue.quota.release(console, bytes);
      }
    },
    outcomeOf(command) {
      const known = results.of(command);
      const one = queue.find(command);
      // Any other outcome than a refusal is told before the ledger has it.
      const told = one?.became ?? (one?.isDoubted ? UNANSWERED : undefined);
      if (told !== undefined && told.outcome !== "refused" && told.outcome !== known?.outcome) {
        return { ...told, time: clock.now() };
      }
      if (known !== undefined) return { ...becameOf(known), time: known.time };
      return one && { outcome: "queued", time: undefined };
    },
    answered(console, { type: _, id, ...became }, line) {
      const one = queue.find({ console, id });
      if (one === undefined) return;
      // It was sent again since: a console that has restarted may decide otherwise now.
      const isOld = one.sentOn !== undefined && one.sentOn !== line;
      if (isOld && became.outcome !== "done") return;
      // The console may have carried it out long ago, and have forgotten its id.
      settle(one, one.isDoubted && became.outcome === "expired" ? UNANSWERED : became);
      send(console);
    },
    lost(console, send) {
      for (const one of queue.of(console)) {
        if (one.sentOn === send) one.sentOn = undefined;
      }
    },
    close() {
      isClosed = true;
      cancelLook();
      stopWatching();
    },
  };
}

/** The outcome of a command of which the ledger has not said whether it stored it. */
const MAY_BE_STORED: Became = {
  outcome: "unknown",
  why: "the ledger did not answer in time: if it has the command, that is still carried out",
};

const UNANSWERED: Became = {
  outcome: "unknown",
  why: "it was sent, and its time was over before the console answered: nobody knows whether it " +
    "was carried out",
};
