/**
 * Carries out the RPCs `registerextlist` and `unregisterextlist`, and removes closed connections
 * and the presses of logged-out ones from lists (service.md, "States and transitions").
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { changeList, changeLists } from "./change.ts";
import { EMPTY_LIST, type ExternalList, releasedBy, withoutOne } from "./list.ts";

/** Subscribes the connection to a list, which is created if it does not exist. */
export function registerList(list: number): Command<{ list: number }> {
  return changeList(list, { list }, ({ before, connection }) => {
    const { subscribers } = before ?? EMPTY_LIST;
    if (subscribers.has(connection)) return before;
    return { ...before ?? EMPTY_LIST, subscribers: new Set([...subscribers, connection]) };
  });
}

/** Unsubscribes the connection; the list is deleted with its last subscriber. */
export function unregisterList(list: number): Command<{ list: number }> {
  return changeList(
    list,
    { list },
    ({ before, connection }) => before && withoutSubscriber(before, connection),
  );
}

/** Releases the buttons of a closed connection, and unsubscribes it from all lists. */
export function closeConnection(connection: number): Command<Done> {
  return (state) => {
    const changes = [...state.lists].map(([list, before]) =>
      [list, withoutSubscriber(releasedBy(before, connection), connection)] as const
    );
    return { ...changeLists(state, new Map(changes), {}), uncharged: true };
  };
}

/** Releases the buttons of a connection that is logged out; it stays subscribed to its lists. */
export function releaseButtons(connection: number): Command<Done> {
  return (state) => {
    const changes = [...state.lists].map(([list, before]) =>
      [list, releasedBy(before, connection)] as const
    );
    return { ...changeLists(state, new Map(changes), {}), uncharged: true };
  };
}

/** Returns the list without one subscriber; undefined if it was the last one. */
function withoutSubscriber(list: ExternalList, connection: number): ExternalList | undefined {
  if (!list.subscribers.has(connection)) return list;
  const subscribers = withoutOne(list.subscribers, connection);
  return subscribers.size === 0 ? undefined : { ...list, subscribers };
}
