import { type EventDefinition, plainJson, tellsNothing } from "../event.ts";
import type { State } from "../state.ts";

/** A kept command of the fleet was carried out; in a checkpoint, all remembered commands. */
export interface CommandDone {
  readonly type: "commanddone";
  /** The expiry of each command by its id, in ms since 1970. */
  readonly done: Readonly<Record<string, number>>;
  /** Commands that expire at this time or before are forgotten; in ms since 1970. */
  readonly forgotten: number;
}

/**
 * The event is in the record of the change that the command made, so that a power cut leaves both
 * or neither. In degraded mode the change is refused with it: once the hub knows that a kept
 * command is done, it may not be lost.
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
