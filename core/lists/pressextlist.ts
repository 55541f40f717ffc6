/**
 * Pressing buttons of external lists: the RPC `pressextlist` (decisions.md, "RPC"; ours, for device
 * views). A button that several connections hold down is up when the last of them lets go.
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { isRefusal, refuse } from "../errors.ts";
import { existingList, listAccess } from "./access.ts";
import { changeLists } from "./change.ts";
import { type Held, releasedBy } from "./list.ts";

/** A button of a list, going down (1) or up (0). */
export interface PressList {
  readonly list: number;
  readonly entry: number;
  readonly on: 0 | 1;
}

/**
 * Presses or releases a button. Saying the same twice is no second event. Refused: an absent list or
 * entry (6), a disabled entry (3).
 */
export function pressList({ list, entry, on }: PressList): Command<Done> {
  return (state, actor) => {
    const connection = listAccess(state, actor, list);
    if (isRefusal(connection)) return connection;
    const before = existingList(state, list);
    if (isRefusal(before)) return before;
    const button = before.entries[entry];
    if (button === undefined) {
      const sentence = `list ${list} has ${before.entries.length} entries, no entry ${entry}`;
      return refuse("noSuchObject", sentence, "entry");
    }
    if (on === 1 && button.disabled === true) {
      return refuse("invalidParameter", `entry ${entry} of list ${list} is disabled`, "entry");
    }
    const { number } = connection;
    const held = on === 1
      ? heldBy(before.held, entry, number)
      : releasedBy(before.held, number, [entry]);
    const contents = held === before.held ? before : { ...before, held };
    return changeLists(state, new Map([[list, contents]]), {});
  };
}

/** What is held once a connection holds a button, too. */
function heldBy(held: Held, entry: number, connection: number): Held {
  const holders = held.get(entry);
  if (holders?.has(connection)) return held;
  return new Map(held).set(entry, new Set([...holders ?? [], connection]));
}
