/**
 * Kept commands: each waits in the ledger until its console is live, is sent, and sent again with
 * the same id on each further connection, until the console has said what has become of it.
 *
 * A result `sent` is stored before the first frame. So a hub that has restarted knows of which
 * commands it cannot say that they were never begun.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { after } from "../../core/ports.ts";
import type { Command, CommandResult } from "./command.ts";
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
import { unreachable } from "../hub/console-state.ts";
import type { CommandAnswers } from "../hub/dialled.ts";
import { followBucket } from "../ledger/followed-bucket.ts";
import {
  COMMAND_ANSWER_MS,
  EXPIRY_MS,
  KEPT_COMMANDS,
  KEPT_LOOK_MS,
  KEPT_SENT,
  RESULTS,
} from "../hub/hub-limits.ts";
import type { Json } from "../json.ts";
import { isLedgerError } from "../ledger/ledger.ts";
import { isUnheard } from "../batches/on-air.ts";
import { unavailable } from "../ledger/unavailable.ts";
import type { ConsoleId, FromConsole } from "../wire.ts";

/** The kept commands of a hub. */
export interface KeptCommands extends Pick<CommandAnswers, "lost"> {
  /** Resolves once the command is in the ledger, or refused. */
  submit(command: Command): Promise<void>;
  /** `line` is the connection that the answer came by. */
  answered(
    console: ConsoleId,
    did: Extract<FromConsole, { readonly type: "did" }>,
    line: Send,
  ): void;
  close(): void;
}

/** A command in the ledger. */
interface Kept {
  readonly command: Command;
  readonly bytes: number;
  /** The connection on which it was sent. */
  sentOn: Send | undefined;
  /** What has become of it, which may not be in the ledger yet. */
  became: Became | undefined;
  /** Whether that is being stored. */
  isStoring: boolean;
}

/** Follows the kept commands in a ledger. */
export async function followKeptCommands(parts: CommandsParts, tell: Tell): Promise<KeptCommands> {
  const { ledger, clock, timer, console: consoleOf, held, sender, vouchedAt, refresh } = parts;
  /** Those of each console, in the order in which they came into the ledger. */
  const kept = new Map<ConsoleId, Map<string, Kept>>();
  /** The consoles to which commands are being sent. */
  const sending = new Set<ConsoleId>();
  const wanted = new Set<ConsoleId>();
  let count = 0;
  let bytes = 0;
  let isClosed = false;
  let cancelLook = () => {};

  const results = await followBucket(ledger, "results", readResult, (key) => {
    const result = results.values.get(key);
    const one = result && kept.get(result.console)?.get(result.id);
    // Another hub has it.
    if (one !== undefined && one.became === undefined) settleAs(one, result!);
  });
  const commands = await followBucket(ledger, "commands", readCommand, (key, before) => {
    const command = commands.values.get(key);
    if (command !== undefined) take(command);
    else if (before !== undefined) drop(before);
  });
  for (const command of commands.values.values()) take(command);
  const stopWatching = parts.watchConsoles((id, entry) => {
    if (entry?.state === "live" && kept.has(id)) send(id);
  });
  look();

  function take(command: Command): void {
    const ofConsole = kept.get(command.console) ?? new Map<string, Kept>();
    if (ofConsole.has(command.id)) return;
    const one: Kept = {
      command,
      bytes: JSON.stringify(command).length,
      sentOn: undefined,
      became: undefined,
      isStoring: false,
    };
    kept.set(command.console, ofConsole.set(command.id, one));
    count++;
    bytes += one.bytes;
    const result = resultOf(command);
    if (result === undefined) tell(command, { outcome: "queued" });
    if (result !== undefined && result.outcome !== "sent") settle(one, becameOf(result));
    else send(command.console);
  }

  function drop({ console, id }: Command): void {
    const ofConsole = kept.get(console);
    const one = ofConsole?.get(id);
    if (one === undefined) return;
    ofConsole!.delete(id);
    if (ofConsole!.size === 0) kept.delete(console);
    count--;
    bytes -= one.bytes;
  }

  function resultOf({ console, id }: Command): CommandResult | undefined {
    return results.values.get(keyOf(console, id));
  }

  function settleAs(one: Kept, result: CommandResult): void {
    if (result.outcome === "sent") tell(one.command, { outcome: "sent" });
    else settle(one, becameOf(result));
  }

  /** Tells what has become of a command, and removes it once that is in the ledger. */
  function settle(one: Kept, became: Became): void {
    if (one.became !== undefined) return;
    one.became = became;
    tell(one.command, became);
    store(one);
  }

  async function store(one: Kept): Promise<void> {
    if (one.isStoring) return;
    one.isStoring = true;
    const { command, became } = one;
    const key = keyOf(command.console, command.id);
    try {
      if (resultOf(command)?.outcome !== became!.outcome) {
        // What this hub concludes must not replace what another has heard from the console.
        const isHeard = became!.outcome === "done" || became!.outcome === "refused";
        const expect = isHeard ? undefined : results.revision(key);
        await results.put(key, resultFor(command, became!), expect);
      }
      await commands.remove(key);
      drop(command);
      await forgetOld();
    } catch (fault) {
      if (!isLedgerError(fault)) parts.onFault(fault);
      // What else the ledger did not take is tried again at the next look.
      else if (fault.code === "conflict") one.became = undefined;
    } finally {
      one.isStoring = false;
    }
  }

  function resultFor({ id, console, batch }: Command, became: Became): CommandResult {
    // What a command has returned may be a token.
    const { result: _, ...rest } = became;
    return { id, console, batch, time: clock.now(), ...rest };
  }

  async function forgetOld(): Promise<void> {
    for (const [key, { time, outcome }] of results.values) {
      const isOld = time < clock.now() - RESULTS.ms;
      if (!isOld && results.values.size <= RESULTS.most) return;
      // What a console has not answered yet is known by this alone.
      if (isOld || outcome !== "sent") await results.remove(key);
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
    const all = [...kept.get(id)?.values() ?? []].filter(({ became }) => became === undefined);
    const now = clock.now();
    const next = all.find(({ sentOn, command: { at = 0, expires } }) =>
      sentOn !== line && at <= now && now < expires
    );
    const sent = all.filter(({ sentOn }) => sentOn === line).length;
    if (isClosed || line === undefined || next === undefined || sent >= KEPT_SENT) return false;
    const reached = reach(parts, next.command);
    if (isRefusal(reached)) {
      settleUnsent(next, refusedBy(reached));
      return true;
    }
    if (resultOf(next.command) === undefined) {
      const became: Became = { outcome: "sent" };
      await results.put(keyOf(id, next.command.id), resultFor(next.command, became), 0);
      // The connection, and the time, may be others by now.
      if (sender(id) !== line || clock.now() >= next.command.expires) return true;
    }
    if (next.became !== undefined) return true;
    next.sentOn = line;
    reached.send(frameOf(next.command, reached.as));
    return true;
  }

  /** Settles a command that is not sent any more: whether it was begun earlier is not known. */
  function settleUnsent(one: Kept, became: Became): void {
    const known = resultOf(one.command);
    if (known === undefined) settle(one, became);
    else if (known.outcome === "sent") settle(one, { outcome: "unknown", why: UNANSWERED });
    else settle(one, becameOf(known));
  }

  /** Looks for commands that have expired, and tries again what the ledger did not take. */
  function look(): void {
    cancelLook = after(timer, KEPT_LOOK_MS, look);
    const now = clock.now();
    for (const [id, ofConsole] of [...kept]) {
      const isRemoved = consoleOf(id) === undefined;
      for (const one of [...ofConsole.values()]) {
        const wasSent = resultOf(one.command)?.outcome === "sent";
        const end = one.command.expires + (wasSent ? COMMAND_ANSWER_MS : 0);
        if (one.became !== undefined) store(one);
        else if (isRemoved) settleUnsent(one, refusedBy(unreachable(undefined, id)));
        else if (now >= end) settleUnsent(one, EXPIRED);
      }
      send(id);
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
    if (held(console) !== undefined) {
      const why = "the hub dials this console, which takes no kept commands: it knows no ids";
      return refuse("invalidParameter", why, "kind");
    }
    const isFull = count >= KEPT_COMMANDS.all || bytes >= KEPT_COMMANDS.bytes ||
      (kept.get(console)?.size ?? 0) >= KEPT_COMMANDS.ofConsole;
    return isFull ? refuse("limitReached", "too many kept commands wait already") : undefined;
  }

  return {
    async submit(command) {
      const known = resultOf(command);
      if (known !== undefined) return tell(command, becameOf(known));
      const refusal = refusalOf(command);
      if (refusal !== undefined) return tell(command, refusedBy(refusal));
      // Whoever has the name of the user later is another one.
      const { created } = (refresh(command.by) ?? {}) as { readonly created?: string };
      const { name, may } = command.by;
      const by = { name, may, ...(created === undefined ? {} : { created }) };
      try {
        await commands.put(keyOf(command.console, command.id), { ...command, by }, 0);
      } catch (fault) {
        if (isLedgerError(fault) && fault.code === "conflict") return;
        tell(command, refusedBy(unavailable(fault)));
      }
    },
    answered(console, { type: _, id, ...became }, line) {
      const one = kept.get(console)?.get(id);
      if (one === undefined) return;
      // It was sent again since: a console that has restarted may decide otherwise now.
      const isOld = one.sentOn !== undefined && one.sentOn !== line;
      if (isOld && became.outcome !== "done") return;
      settle(one, became);
      send(console);
    },
    lost(console, send) {
      for (const one of kept.get(console)?.values() ?? []) {
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

const UNANSWERED = "it was sent, and its time was over before the console answered: nobody knows " +
  "whether it was carried out";

function becameOf({ outcome, why, code }: CommandResult): Became {
  return {
    outcome,
    ...(why === undefined ? {} : { why }),
    ...(code === undefined ? {} : { code }),
  };
}

function readCommand(value: Json): Command | undefined {
  const command = value as unknown as Command;
  const isCommand = [command.id, command.console, command.batch, command.from]
    .every((text) => typeof text === "string") &&
    typeof command.expires === "number" &&
    typeof command.request === "object" && typeof command.by === "object";
  return isCommand ? command : undefined;
}

function readResult(value: Json): CommandResult | undefined {
  const result = value as unknown as CommandResult;
  const isResult = [result.id, result.console, result.batch, result.outcome]
    .every((text) => typeof text === "string") && typeof result.time === "number";
  return isResult ? result : undefined;
}
