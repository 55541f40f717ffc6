/**
 * Asks consoles for previews of commands.
 *
 * @module
 */
import { isRefusal } from "../../core/errors.ts";
import { after } from "../../core/ports.ts";
import type { Command, CommandPreview } from "./command.ts";
import { type CommandsParts, keyOf, reach, type Send } from "./command-way.ts";
import { PREVIEW_MS } from "../hub/hub-limits.ts";
import type { ConsoleId, FromConsole } from "../wire.ts";

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
  const { timer, held } = parts;
  const waiting = new Map<string, Waiting>();

  function refuseAll(isMeant: (one: Waiting) => boolean, refused: string): void {
    for (const one of [...waiting.values()]) if (isMeant(one)) one.settle({ refused });
  }

  return {
    ask(command) {
      const { id, console, require, request, from } = command;
      const refusal = (refused: string) => Promise.resolve({ console, refused });
      if (held(console) !== undefined) {
        return refusal("the hub dials this console, which does not say what a command would do");
      }
      const reached = reach(parts, command);
      if (isRefusal(reached)) return refusal(reached.message);
      const { send, as } = reached;
      const key = keyOf(console, id);
      if (waiting.has(key)) return refusal("another preview of this command is being made");
      return new Promise((resolve) => {
        const settle = (preview: Omit<CommandPreview, "console">) => {
          cancel();
          waiting.delete(key);
          resolve({ console, ...preview });
        };
        const cancel = after(
          timer,
          PREVIEW_MS,
          () => settle({ refused: "the console did not answer in time" }),
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
      refuseAll(isOfIt, "the connection to the console was lost");
    },
    close() {
      refuseAll(() => true, "the hub is stopping");
    },
  };
}
