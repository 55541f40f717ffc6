/**
 * Live commands: each is sent once, and never again. Where its answer does not come, nobody knows
 * what has become of it.
 *
 * @module
 */
import { isRefusal, refuse } from "../../core/errors.ts";
import { after } from "../../core/ports.ts";
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
import { COMMAND_ANSWER_MS, EXPIRY_MS, LIVE_COMMANDS } from "../hub/hub-limits.ts";
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
  readonly cancel: () => void;
}

/** Makes the live commands of a hub. */
export function createLiveCommands(parts: CommandsParts, tell: Tell): LiveCommands {
  const { clock, timer, held } = parts;
  const underWay = new Map<ConsoleId, Map<string, UnderWay>>();

  function end(console: ConsoleId, id: string): UnderWay | undefined {
    const ofConsole = underWay.get(console);
    const found = ofConsole?.get(id);
    found?.cancel();
    ofConsole?.delete(id);
    if (ofConsole?.size === 0) underWay.delete(console);
    return found;
  }

  function submit(command: Command): void {
    const { id, console, expires } = command;
    const now = clock.now();
    if (expires <= now) return tell(command, EXPIRED);
    if (expires > now + EXPIRY_MS.live.max) {
      const expected = `expected a time within ${EXPIRY_MS.live.max} ms from now`;
      return tell(command, refusedBy(refuse("invalidParameter", expected, "expires")));
    }
    const direct = held(console);
    if (direct !== undefined) {
      askDirectly(direct, command, parts, tell).catch(parts.onFault);
      return;
    }
    const reached = reach(parts, command);
    if (isRefusal(reached)) return tell(command, refusedBy(reached));
    const ofConsole = underWay.get(console) ?? new Map<string, UnderWay>();
    if (ofConsole.size >= LIVE_COMMANDS) {
      const sentence = `${LIVE_COMMANDS} commands of this console are not answered yet`;
      return tell(command, refusedBy(refuse("limitReached", sentence)));
    }
    if (ofConsole.has(id)) return;
    const { send, as } = reached;
    const cancel = after(timer, expires - now + COMMAND_ANSWER_MS, () => {
      end(console, id);
      tell(command, { outcome: "unknown", why: "the console did not answer in time" });
    });
    underWay.set(console, ofConsole.set(id, { command, send, cancel }));
    tell(command, { outcome: "sent" });
    send(frameOf(command, as));
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
        const why = "the connection to the console was lost before its answer came: nobody knows " +
          "whether it was carried out";
        tell(one.command, { outcome: "unknown", why });
      }
    },
    close() {
      for (const ofConsole of underWay.values()) {
        for (const { cancel } of ofConsole.values()) cancel();
      }
      underWay.clear();
    },
  };
}
