/**
 * The commands of a hub on the console's side: each is carried out once, and answered on the
 * connection that it last came by.
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import { after, type Timer } from "../../core/ports.ts";
import { carryOut, previewOf } from "./answer-command.ts";
import type { CommandCaller } from "./command-caller.ts";
import type { HubClock } from "./hub-clock.ts";
import { isUnheard } from "../batches/on-air.ts";
import type { CommandFrame } from "./read-command.ts";
import { BEAT_MS, COMMANDS_UNDER_WAY, type FromConsole } from "../wire.ts";

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

  function begin(command: Do, entry: Known): void {
    const start = () => carryOut(console, caller, command, entry.line.clock);
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
    preview(command, line) {
      if (underWay >= COMMANDS_UNDER_WAY) {
        return line.send({ type: "would", id: command.id, refused: TOO_MANY });
      }
      underWay++;
      previewOf(caller, command).then((would) => line.send(would)).catch(onFault)
        .finally(() => underWay--);
    },
    stop() {
      for (const cancel of waiting) cancel();
      waiting.clear();
    },
  };
}
