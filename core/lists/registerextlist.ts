/**
 * The RPCs `registerextlist` and `unregisterextlist`, and what a closed connection means for lists
 * (service.md, "States and transitions").
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { isRefusal } from "../errors.ts";
import { listAccess } from "./access.ts";
import { changeLists } from "./change.ts";
import { EMPTY_LIST, type ExternalList, releasedBy } from "./list.ts";

/** Subscribes the connection to a list, which comes to be where it was absent. */
export function registerList(list: number): Command<{ list: number }> {
  return (state, actor) => {
    const connection = listAccess(state, actor, list);
    if (isRefusal(connection)) return connection;
    const before = state.lists.get(list);
    const contents = before?.subscribers.has(connection.number)
      ? before
      : withSubscriber(before ?? EMPTY_LIST, connection.number);
    return changeLists(state, new Map([[list, contents]]), { list });
  };
}

/** Unsubscribes the connection; the list is deleted with its last subscriber. */
export function unregisterList(list: number): Command<{ list: number }> {
  return (state, actor) => {
    const connection = listAccess(state, actor, list);
    if (isRefusal(connection)) return connection;
    const before = state.lists.get(list);
    const contents = before && withoutSubscriber(before, connection.number);
    return changeLists(state, new Map([[list, contents]]), { list });
  };
}

/** A closed connection lets go of its buttons and is unsubscribed everywhere. */
export function closeConnection(connection: number): Command<Done> {
  return (state) => {
    const changes = [...state.lists].map(([list, before]) => {
      const held = releasedBy(before.held, connection);
      const released = held === before.held ? before : { ...before, held };
      return [list, withoutSubscriber(released, connection)] as const;
    });
    return changeLists(state, new Map(changes), {});
  };
}

function withSubscriber(list: ExternalList, connection: number): ExternalList {
  return { ...list, subscribers: new Set([...list.subscribers, connection]) };
}

/** Undefined for a list that nobody is left of. */
function withoutSubscriber(list: ExternalList, connection: number): ExternalList | undefined {
  if (!list.subscribers.has(connection)) return list;
  const subscribers = new Set(list.subscribers);
  subscribers.delete(connection);
  return subscribers.size === 0 ? undefined : { ...list, subscribers };
}
