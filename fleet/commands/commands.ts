/**
 * Commands through a hub: live ones go to their consoles at once, kept ones through the ledger
 * (docs/fleet.md, "Commands").
 *
 * @module
 */
import { createListeners } from "../../client/listeners.ts";
import type { CommandResult, Commands } from "./command.ts";
import type { CommandsParts, Tell } from "./command-way.ts";
import type { CommandAnswers } from "../hub/dialled.ts";
import { followKeptCommands } from "./kept-commands.ts";
import { createLiveCommands } from "./live-commands.ts";
import { createPreviews } from "./previews.ts";

/** The commands of a hub. */
export interface HubCommands extends Commands, CommandAnswers {
  close(): void;
}

/** Makes the commands of a hub; resolves once the kept ones of the ledger are known. */
export async function createCommands(parts: CommandsParts): Promise<HubCommands> {
  const listeners = createListeners<CommandResult>();
  const tell: Tell = ({ id, console, batch }, became) => {
    const result = { id, console, batch, time: parts.clock.now(), ...became };
    listeners.tell(result);
  };
  const live = createLiveCommands(parts, tell);
  const kept = await followKeptCommands(parts, tell);
  const previews = createPreviews(parts);

  return {
    async submit(commands) {
      const keeping: Promise<void>[] = [];
      for (const command of commands) {
        if (command.kind === "kept") keeping.push(kept.submit(command));
        else live.submit(command);
      }
      await Promise.all(keeping);
    },
    outcomeOf: kept.outcomeOf,
    async preview(commands, said) {
      await Promise.all(commands.map((command) => previews.ask(command).then(said)));
    },
    watch: listeners.add,
    answered(id, answer, send) {
      if (answer.type === "would") return previews.answered(id, answer);
      live.answered(id, answer);
      kept.answered(id, answer, send);
    },
    lost(id, send) {
      live.lost(id, send);
      kept.lost(id, send);
      previews.lost(id, send);
    },
    close() {
      live.close();
      kept.close();
      previews.close();
    },
  };
}
