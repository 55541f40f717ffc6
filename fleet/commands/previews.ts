/**
 * Asks consoles for previews of commands.
 *
 * @module
 */
import { isRefusal } from "../../core/errors.ts";
import { after } from "../../core/ports.ts";
import type { Command, CommandPreview } from "./command.ts";
import { type CommandsParts, keyOf, reach, type Send } from "./command-way.ts";
import { directRefusal } from "../direct/direct-command.ts";
import { PREVIEW_MS } from "../hub/hub-limits.ts";
import type { ConsoleId, FromConsole } from "../wire.ts";

const DIRECT = "the hub asks this console as a client, and a client gets no previews";

/** The previews that a hub waits for. */
export interface Previews {
  ask(command: Command): Promise<CommandPreview>;
  answered(console: ConsoleId, would: Extract<FromConsole, { readonly type: "would" }>): void;
  lost(console: ConsoleId, send: Send): void;
  close(): void;
}

interface Waiting {
  readonly console: ConsoleId;
  readonly send: Send;
  settle(preview: Omit<CommandPreview, "console">): void;
}

/** Makes the previews of a hub. */
export function createPreviews(parts: CommandsParts): Previews {
  const { timer, held, reachRefusal } = parts;
  const waiting = new Map<string, Waiting>();

  function giveUp(isMeant: (one: Waiting) => boolean, noPreview: string): void {
    for (const one of [...waiting.values()]) if (isMeant(one)) one.settle({ noPreview });
  }

  return {
    ask(command) {
      const { id, console, kind, require, request, from } = command;
      const refusal = (refused: string) => Promise.resolve({ console, refused });
      const without = (noPreview: string) => Promise.resolve({ console, noPreview });
      if (held(console) !== undefined) {
        const refused = directRefusal(command);
        return refused === undefined ? without(DIRECT) : refusal(refused.message);
      }
      const reached = reach(parts, command);
      if (isRefusal(reached)) {
        const isAway = reachRefusal(console) !== undefined;
        return kind === "kept" && isAway ? without(reached.message) : refusal(reached.message);
      }
      const { send, as } = reached;
      const key = keyOf(console, id);
      if (waiting.has(key)) return without("another preview of this command is being made");
      return new Promise((resolve) => {
        const settle = (preview: Omit<CommandPreview, "console">) => {
          cancel();
          waiting.delete(key);
          resolve({ console, ...preview });
        };
        const cancel = after(
          timer,
          PREVIEW_MS,
          () => settle({ noPreview: "the console did not answer in time" }),
        );
        waiting.set(key, { console, send, settle });
        const required = require === undefined ? {} : { require };
        send({ type: "preview", id, request, as, from, ...required });
      });
    },
    answered(console, { type: _, id, ...would }) {
      waiting.get(keyOf(console, id))?.settle(would);
    },
    lost(console, send) {
      const isOfIt = (one: Waiting) => one.console === console && one.send === send;
      giveUp(isOfIt, "the connection to the console was lost");
    },
    close() {
      giveUp(() => true, "the hub is stopping");
    },
  };
}
