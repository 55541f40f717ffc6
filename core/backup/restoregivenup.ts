import { type EventDefinition, tellsNothing } from "../event.ts";
import type { State } from "../state.ts";
import { without } from "../without.ts";

/** A restore will not be: what was staged for it is worth nothing. */
export interface RestoreGivenUp {
  readonly type: "restoregivenup";
  readonly restore: string;
}

/**
 * It is volatile: it may have been given up as the medium is full, and a restart finds nothing
 * staged in any case.
 */
export const restoregivenup: EventDefinition<RestoreGivenUp> = {
  reduce: (state, { restore }): State => ({ ...state, staged: without(state.staged, restore) }),
  log: undefined,
  tell: tellsNothing,
};
