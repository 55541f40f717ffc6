import { type EventDefinition, plainJson, tellsNothing } from "../event.ts";
import type { State } from "../state.ts";

/** Kept commands of the fleet were carried out: one, or, in a checkpoint, all that are remembered. */
export interface CommandDone {
  readonly type: "commanddone";
  /** When each expires, by its id, in ms since 1970. */
  readonly done: Readonly<Record<string, number>>;
  /** All that expire by then are forgotten. */
  readonly forgotten: number;
}

/**
 * The event stands in the record of the change that the command made, so that after a power cut
 * both are there or neither is. In degraded mode the change is refused with it: once the hub knows
 * that a kept command is done, it may not be lost.
 */
export const commanddone: EventDefinition<CommandDone> = {
  reduce(state, event): State {
    const forgotten = Math.max(state.commandsDone.forgotten, event.forgotten);
    const all = [...state.commandsDone.ids, ...Object.entries(event.done)];
    const ids = new Map(all.filter(([, expires]) => expires > forgotten));
    return { ...state, commandsDone: { ids, forgotten } };
  },
  log: {
    ...plainJson,
    ifNotStored: "refused",
    *checkpoint({ commandsDone: { ids, forgotten } }) {
      if (ids.size === 0 && forgotten === 0) return;
      yield { type: "commanddone", done: Object.fromEntries(ids), forgotten };
    },
  },
  tell: tellsNothing,
};
