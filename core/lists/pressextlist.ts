/**
 * Pressing buttons of external lists: the RPC `pressextlist` (decisions.md, "RPC"; ours, for device
 * views). A button that several connections hold down is up when the last of them lets go.
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { refuse } from "../errors.ts";
import { absentList, changeList } from "./change.ts";
import { type ExternalList, releasedBy } from "./list.ts";

/** This says which button of a list goes down (1) or up (0). */
export interface PressList {
  readonly list: number;
  readonly entry: number;
  readonly on: 0 | 1;
}

/**
 * Presses or releases a button. The same asked twice makes no second event. Refused: an absent
 * list or entry (6), a disabled entry (3).
 */
export function pressList({ list, entry, on }: PressList): Command<Done> {
  return changeList(list, {}, ({ before, connection }) => {
    if (before === undefined) return absentList(list);
    const button = before.entries[entry];
    if (button === undefined) {
      const sentence = `list ${list} has ${before.entries.length} entries, no entry ${entry}`;
      return refuse("noSuchObject", sentence, "entry");
    }
    if (on === 0) return releasedBy(before, connection, [entry]);
    return button.disabled === true
      ? refuse("invalidParameter", `entry ${entry} of list ${list} is disabled`, "entry")
      : pressedBy(before, connection, entry);
  });
}

/** Returns the list once a connection holds a button down, too. */
function pressedBy(list: ExternalList, connection: number, entry: number): ExternalList {
  const holders = list.held.get(entry) ?? new Set<number>();
  if (holders.has(connection)) return list;
  const held = new Map(list.held).set(entry, new Set([...holders, connection]));
  return { ...list, held };
}
