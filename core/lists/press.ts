/**
 * Pressing buttons of external lists: the RPC `pressextlist` (decisions.md, "RPC"; ours, for device
 * views). A button that several connections hold down is up when the last of them lets go.
 *
 * @module
 */
import type { Command } from "../console.ts";
import { isRefusal, refuse } from "../errors.ts";
import type { Event } from "../state.ts";
import type { ExternalList } from "./list.ts";
import { listAccess } from "./register.ts";
import { existingList } from "./set.ts";

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
export function pressList({ list, entry, on }: PressList): Command<Record<string, never>> {
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
    const holders = before.held.get(entry) ?? new Set();
    const after = new Set(holders);
    if (on === 1) after.add(connection.number);
    else after.delete(connection.number);
    return { events: heldBy(list, before, entry, after), result: {} };
  };
}

/** The list without the holders that `of` picks, and the events of the buttons that come up. */
export function releaseAll(
  list: number,
  before: ExternalList,
  of: (holder: number) => boolean,
): { readonly events: Event[]; readonly contents: ExternalList } {
  const events: Event[] = [];
  let contents = before;
  for (const [entry, holders] of before.held) {
    const after = new Set([...holders].filter((holder) => !of(holder)));
    for (const event of heldBy(list, contents, entry, after)) {
      events.push(event);
      if (event.type === "listchanged") contents = event.contents ?? contents;
    }
  }
  return { events, contents };
}

function heldBy(
  list: number,
  before: ExternalList,
  entry: number,
  holders: ReadonlySet<number>,
): Event[] {
  const was = before.held.get(entry)?.size ?? 0;
  if (holders.size === was) return [];
  const held = new Map(before.held);
  if (holders.size === 0) held.delete(entry);
  else held.set(entry, holders);
  const changed: Event = { type: "listchanged", list, contents: { ...before, held } };
  if ((was === 0) === (holders.size === 0)) return [changed];
  const on = holders.size > 0 ? 1 : 0;
  const { subscribers } = before;
  return [changed, { type: "listnotified", list, entry, on, subscribers }];
}
