import { type EventDefinition, tellsNothing } from "../event.ts";
import type { State } from "../state.ts";
import { without } from "../without.ts";

/** A restore was given up: the snapshots staged for it are discarded. */
export interface RestoreGivenUp {
  readonly type: "restoregivenup";
  readonly restore: string;
}

/**
 * The event is volatile: the reason may be a full medium, and a restart discards staged snapshots
 * in any case.
 */
export const restoregivenup: EventDefinition<RestoreGivenUp> = {
  reduce: (state, { restore }): State => ({ ...state, staged: without(state.staged, restore) }),
  log: undefined,
  tell: tellsNothing,
};
