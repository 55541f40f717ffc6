/**
 * Live commands: each is sent once, and never again. If no answer comes, its outcome is `unknown`,
 * which is reported soon after its expiry; a later answer still counts.
 *
 * @module
 */
import { isRefusal, refuse } from "../../core/errors.ts";
import type { Command } from "./command.ts";
import { askDirectly } from "../direct/direct-command.ts";
import {
  type CommandsParts,
  EXPIRED,
  frameOf,
  reach,
  refusedBy,
  type Send,
  type Tell,
} from "./command-way.ts";
import type { CommandAnswers } from "../hub/dialled.ts";
import type { HeldConsole } from "../hub/hub-core.ts";
import { COMMAND_ANSWER_MS, EXPIRY_MS, LIVE_COMMANDS, LIVE_GRACE_MS } from "../hub/hub-limits.ts";
import type { ConsoleId, FromConsole } from "../wire.ts";

/** Live commands under way. */
export interface LiveCommands extends Pick<CommandAnswers, "lost"> {
  submit(command: Command): void;
  answered(console: ConsoleId, did: Extract<FromConsole, { readonly type: "did" }>): void;
  close(): void;
}

interface UnderWay {
  readonly command: Command;
  readonly send: Send;
  /** The end of the present wait, for an answer in time or for a late one, in monotonic ms. */
  due: number;
  /** Whether it was reported as `unknown`. */
  isTold: boolean;
}

/**
 * Minimum interval in ms between two checks for ended waits: a thousand commands share one check.
 */
const LOOK_MS = 50;

/**
 * Greatest difference in ms of the clocks of two hubs, each of which is right to a second. The hub
 * that took the order has checked the expiry by its own clock.
 */
const CLOCKS_MS = 2000;

/** Makes the live commands of a hub. */
export function createLiveCommands(parts: CommandsParts, tell: Tell): LiveCommands {
  const { clock, timer, held } = parts;
  const underWay = new Map<ConsoleId, Map<string, UnderWay>>();
  /** Ids of the commands under way to consoles that the hub dials. */
  const directly = new Map<ConsoleId, Set<string>>();
  let lookAt = Infinity;
  let cancelLook = () => {};

  function end(console: ConsoleId, id: string): UnderWay | undefined {
    const ofConsole = underWay.get(console);
    const found = ofConsole?.get(id);
    ofConsole?.delete(id);
    if (ofConsole?.size === 0) underWay.delete(console);
    return found;
  }

  function submit(command: Command): void {
    const { id, console, expires } = command;
    const now = clock.now();
    if (expires <= now) return tell(command, EXPIRED);
    if (expires > now + EXPIRY_MS.live.max + CLOCKS_MS) {
      const expected = `expected a time within ${EXPIRY_MS.live.max} ms from now`;
      return tell(command, refusedBy(refuse("invalidParameter", expected, "expires")));
    }
    const direct = held(console);
    if (direct !== undefined) return submitDirectly(direct, command);
    const reached = reach(parts, command);
    if (isRefusal(reached)) return tell(command, refusedBy(reached));
    const ofConsole = underWay.get(console) ?? new Map<string, UnderWay>();
    const before = ofConsole.get(id);
    if (before !== undefined) {
      // Another hub, where it was repeated, would wait in vain for an outcome if no answer comes.
      if (before.isTold) tell(command, { outcome: "unknown", why: UNANSWERED });
      return;
    }
    if (ofConsole.size >= LIVE_COMMANDS) return tell(command, TOO_MANY);
    const { send, as } = reached;
    const due = timer.monotonic() + expires - now + LIVE_GRACE_MS;
    underWay.set(console, ofConsole.set(id, { command, send, due, isTold: false }));
    wakeFor(due);
    tell(command, { outcome: "sent" });
    send(frameOf(command, as));
  }

  function submitDirectly(direct: HeldConsole, command: Command): void {
    const { id, console } = command;
    const ids = directly.get(console) ?? new Set<string>();
    if (ids.has(id)) return;
    if (ids.size >= LIVE_COMMANDS) return tell(command, TOO_MANY);
    directly.set(console, ids.add(id));
    askDirectly(direct, command, parts, tell).catch(parts.onFault).finally(() => {
      ids.delete(id);
      if (ids.size === 0) directly.delete(console);
    });
  }

  function wakeFor(due: number): void {
    if (due >= lookAt) return;
    cancelLook();
    lookAt = due;
    cancelLook = timer.at(due, look);
  }

  /**
   * Reports each command whose wait is over as `unknown`, and drops it when its second wait is
   * over.
   */
  function look(): void {
    lookAt = Infinity;
    const now = timer.monotonic();
    let next = Infinity;
    for (const [console, ofConsole] of [...underWay]) {
      for (const [id, one] of [...ofConsole]) {
        if (one.due <= now && one.isTold) {
          end(console, id);
          continue;
        }
        if (one.due <= now) {
          one.due += COMMAND_ANSWER_MS - LIVE_GRACE_MS;
          tellUnknown(one, UNANSWERED);
        }
        next = Math.min(next, one.due);
      }
    }
    wakeFor(Math.max(next, now + LOOK_MS));
  }

  function tellUnknown(one: UnderWay, why: string): void {
    if (one.isTold) return;
    one.isTold = true;
    tell(one.command, { outcome: "unknown", why });
  }

  return {
    submit,
    answered(console, { type: _, id, ...became }) {
      const found = end(console, id);
      if (found !== undefined) tell(found.command, became);
    },
    lost(console, send) {
      for (const [id, one] of [...underWay.get(console) ?? []]) {
        if (one.send !== send) continue;
        end(console, id);
        tellUnknown(one, LOST);
      }
    },
    close() {
      cancelLook();
      underWay.clear();
    },
  };
}

const TOO_MANY = refusedBy(
  refuse("limitReached", `${LIVE_COMMANDS} commands of this console are not answered yet`),
);

const UNANSWERED = "the console did not answer in time: nobody knows whether it was carried out";

const LOST = "the connection to the console was lost before its answer came: nobody knows " +
  "whether it was carried out";
