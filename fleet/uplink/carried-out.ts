/**
 * The commands of a hub on the console's side: each is carried out once, and answered on the
 * connection that it last came by.
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import { errorCodes } from "../../core/errors.ts";
import type { FleetCommand, WouldChange } from "../../core/fleet-commands/fleet-command.ts";
import { after, type Timer } from "../../core/ports.ts";
import type { Leaf } from "../../core/tree/tree.ts";
import type { CommandCaller } from "./command-caller.ts";
import type { HubClock } from "./hub-clock.ts";
import { isUnheard } from "../batches/on-air.ts";
import type { CommandFrame } from "./read-command.ts";
import { MAY_BE_FOUND } from "../../storage/storage-error.ts";
import {
  ANSWER_BYTES,
  BEAT_MS,
  COMMANDS_UNDER_WAY,
  type FromConsole,
  RESULT_BYTES,
  WHY_CHARACTERS,
} from "../wire.ts";

/** Maximum number of carried-out commands whose answers are kept for a repetition. */
const ANSWERS_KEPT = 2048;

/**
 * Maximum time in ms that a command waits at the console for its `at`; no hub sends a command that
 * far ahead.
 */
const AHEAD_MS = 60_000;

/**
 * The step of the fades in ms: commands with the same time begin at the same point of this grid.
 */
const GRID_MS = 20;

type Do = Extract<CommandFrame, { readonly type: "do" }>;
type Preview = Extract<CommandFrame, { readonly type: "preview" }>;
type Did = Extract<FromConsole, { readonly type: "did" }>;
type Would = Extract<FromConsole, { readonly type: "would" }>;

/** The connection that a command came by. */
export interface CommandLine {
  readonly clock: HubClock;
  send(frame: FromConsole): void;
}

/** The commands that a console carries out. */
export interface CarriedOut {
  /** Takes a command, and answers it once, now or later, if its outcome is known. */
  take(command: Do, line: CommandLine): void;
  preview(command: Preview, line: CommandLine): void;
  /** Drops the commands that wait for their time. */
  stop(): void;
}

/** A received command: under way, answered, or of an outcome that is not known. */
interface Known {
  line: CommandLine;
  did: Did | undefined;
}

/** The ports of the commands of a console. */
export interface CarriedOutOptions {
  readonly caller: CommandCaller;
  readonly timer: Timer;
  readonly onFault: (fault: unknown) => void;
}

const TOO_MANY = `${COMMANDS_UNDER_WAY} commands are under way already`;

/** Makes the commands of a console, none at first. */
export function createCarriedOut(
  console: Console,
  { caller, timer, onFault }: CarriedOutOptions,
): CarriedOut {
  const known = new Map<string, Known>();
  const waiting = new Set<() => void>();
  let underWay = 0;
  /** Kept commands begin one after the other, in the order in which they came. */
  let lastKept: Promise<unknown> = Promise.resolve();

  function finish(entry: Known, did: Did | undefined): void {
    underWay--;
    if (did === undefined) return;
    entry.did = did;
    entry.line.send(did);
    for (const [id, { did }] of known) {
      if (known.size <= ANSWERS_KEPT) break;
      if (did !== undefined) known.delete(id);
    }
  }

  /**
   * Carries a command out; undefined if only a restart of this console can tell whether its change
   * is stored. Such a command is not answered before that: it becomes `unknown`, and the hub sends a
   * kept one again to the restarted console.
   */
  async function carryOut(command: Do, { clock }: CommandLine): Promise<Did | undefined> {
    const { id, batch, kind, expires, require, request, as, from } = command;
    // A command that was done before is done, even if its time is over.
    if (console.state.commandsDone.ids.has(id)) return { type: "did", id, outcome: "done" };
    const now = clock.latest();
    if (now === undefined || now >= expires) {
      return { type: "did", id, outcome: "expired", why: "the console got it too late" };
    }
    const asked: FleetCommand = {
      id,
      batch,
      ...(kind === "kept" ? { kept: { expires, now } } : {}),
      ...(require === undefined ? {} : { require: require as Readonly<Record<string, Leaf>> }),
    };
    const answer = await caller.ask(request, as, from, asked);
    if ("refused" in answer) {
      const { code, message } = answer.refused;
      if (code === errorCodes.notStored && message.includes(MAY_BE_FOUND)) return undefined;
      return { type: "did", id, outcome: "refused", code, why: message.slice(0, WHY_CHARACTERS) };
    }
    const { result } = answer;
    const isShort = result !== undefined && isWithin(RESULT_BYTES, result);
    return { type: "did", id, outcome: "done", ...(isShort ? { result } : {}) };
  }

  function begin(command: Do, entry: Known): void {
    const start = () => carryOut(command, entry.line);
    const did = command.kind === "kept" ? lastKept = lastKept.then(start, start) : start();
    Promise.resolve(did).then((did) => finish(entry, did as Did | undefined), (fault) => {
      onFault(fault);
      const why = "the console failed";
      finish(entry, { type: "did", id: command.id, outcome: "refused", why });
    });
  }

  /** Begins a command at a time of the hub, whose clock may be set meanwhile. */
  function beginAt(time: number, command: Do, entry: Known): void {
    const ms = time - (entry.line.clock.now() ?? time);
    if (ms <= 0) return begin(command, entry);
    const cancel = after(timer, Math.min(ms, BEAT_MS), () => {
      waiting.delete(cancel);
      beginAt(time, command, entry);
    });
    waiting.add(cancel);
  }

  function refuse(id: string, why: string): Did {
    return { type: "did", id, outcome: "refused", why };
  }

  return {
    take(command, line) {
      const { id, kind, at, request } = command;
      const before = known.get(id);
      if (before !== undefined) {
        before.line = line;
        if (before.did !== undefined) line.send(before.did);
        return;
      }
      if (kind === "kept" && !isUnheard(request)) {
        return line.send(refuse(id, "expected a live command: what may be heard is not kept"));
      }
      const ahead = (at ?? 0) - (line.clock.now() ?? Infinity);
      if (ahead > AHEAD_MS) return line.send(refuse(id, `its time is ${ahead} ms ahead`));
      // A hub takes a refusal for the outcome of a command, which may have been done before.
      if (underWay >= COMMANDS_UNDER_WAY && !console.state.commandsDone.ids.has(id)) {
        return line.send(refuse(id, TOO_MANY));
      }
      const entry: Known = { line, did: undefined };
      known.set(id, entry);
      underWay++;
      beginAt(Math.ceil((at ?? 0) / GRID_MS) * GRID_MS, command, entry);
    },
    preview({ id, require, request, as, from }, line) {
      if (underWay >= COMMANDS_UNDER_WAY) {
        return line.send({ type: "would", id, refused: TOO_MANY });
      }
      underWay++;
      let would: WouldChange | undefined;
      const asked: FleetCommand = {
        id,
        batch: id,
        ...(require === undefined ? {} : { require: require as Readonly<Record<string, Leaf>> }),
        preview: (changes) => void (would = changes),
      };
      caller.ask(request, as, from, asked).then((answer) => {
        const refused = "refused" in answer
          ? { refused: answer.refused.message.slice(0, WHY_CHARACTERS) }
          : {};
        const changes = would === undefined ? {} : withinAnswer(would);
        line.send({ type: "would", id, ...changes, ...refused });
      }).catch(onFault).finally(() => underWay--);
    },
    stop() {
      for (const cancel of waiting) cancel();
      waiting.clear();
    },
  };
}

/** Returns the changes of a preview for which an answer has room, and counts the others. */
function withinAnswer({ before, after, others, all }: WouldChange): Omit<Would, "type" | "id"> {
  const whole = { before, after, ...others };
  if (all === undefined || isWithin(ANSWER_BYTES, whole)) return whole;
  return isWithin(ANSWER_BYTES, all) ? all : { more: all.changes.length + (all.more ?? 0) };
}

function isWithin(bytes: number, value: unknown): boolean {
  const text = JSON.stringify(value);
  return text.length <= bytes && new TextEncoder().encode(text).length <= bytes;
}
