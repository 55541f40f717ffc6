import { type EventDefinition, tellsNothing } from "../event.ts";
import type { State } from "../state.ts";
import { without } from "../without.ts";
import type { ExternalList } from "./list.ts";

/** A list was created, was changed, or (without `contents`) was deleted. */
export interface ListChanged {
  readonly type: "listchanged";
  readonly list: number;
  readonly contents: ExternalList | undefined;
}

/**
 * It is volatile: lists live as long as the connections that are subscribed to them. It notes
 * nothing for the audit trail, because the change of `control/extlists` that goes with it does.
 */
export const listchanged: EventDefinition<ListChanged> = {
  reduce(state, { list, contents }): State {
    const { lists } = state;
    const after = contents ? new Map(lists).set(list, contents) : without(lists, list);
    return { ...state, lists: after };
  },
  log: undefined,
  tell: tellsNothing,
};
