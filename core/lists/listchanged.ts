import type { EventDefinition } from "../event.ts";
import type { ExternalList } from "./list.ts";

/** A list has come to be, has changed, or (without `contents`) is gone. */
export interface ListChanged {
  readonly type: "listchanged";
  readonly list: number;
  readonly contents: ExternalList | undefined;
}

/** Volatile. */
export const listchanged: EventDefinition<ListChanged> = {
  type: "listchanged",
  reduce(state, { list, contents }) {
    const lists = new Map(state.lists);
    if (contents === undefined) lists.delete(list);
    else lists.set(list, contents);
    return { ...state, lists };
  },
  log: undefined,
};
