/**
 * The RPCs `registerextlist` and `unregisterextlist`, and what a closed connection means for lists
 * (service.md, "States and transitions").
 *
 * @module
 */
import type { Command, Decision } from "../console.ts";
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import { LICENSES } from "../configuration/schema.ts";
import type { Event, State } from "../state.ts";
import type { Actor } from "../users/user.ts";
import { EMPTY_LIST } from "./list.ts";
import { releaseAll } from "./press.ts";

/** Subscribes the connection to a list, which comes to be where it was absent. */
export function registerList(list: number): Command<{ list: number }> {
  return (state, actor) => {
    const connection = listAccess(state, actor, list);
    if (isRefusal(connection)) return connection;
    const before = state.lists.get(list) ?? EMPTY_LIST;
    if (before.subscribers.has(connection.number)) return { events: [], result: { list } };
    const subscribers = new Set([...before.subscribers, connection.number]);
    const contents = { ...before, subscribers };
    return { events: [{ type: "listchanged", list, contents }], result: { list } };
  };
}

/** Unsubscribes the connection; the list is deleted with its last subscriber. */
export function unregisterList(list: number): Command<{ list: number }> {
  return (state, actor) => {
    const connection = listAccess(state, actor, list);
    if (isRefusal(connection)) return connection;
    return { events: unsubscribed(state, list, connection.number), result: { list } };
  };
}

/** A closed connection lets go of its buttons and is unsubscribed everywhere. */
export function closeConnection(connection: number): Command<Record<string, never>> {
  return (state): Decision<Record<string, never>> => {
    const events: Event[] = [];
    for (const [list, before] of state.lists) {
      const released = releaseAll(list, before, (holder) => holder === connection);
      events.push(...released.events);
      const lists = new Map(state.lists).set(list, released.contents);
      const left = unsubscribed({ ...state, lists }, list, connection);
      events.push(...left);
    }
    return { events, result: {} };
  };
}

/** Who may use lists: a WebSocket connection (8), with the license (9), on a configured list (6). */
export function listAccess(
  { configuration }: State,
  { connection }: Actor,
  list: number,
): { readonly number: number } | Refusal {
  if (connection === undefined) {
    return refuse("webSocketOnly", "external lists are for WebSocket connections only");
  }
  if (!configuration.licenses.includes(LICENSES.externalLists)) {
    return refuse("licenseMissing", `external lists need license ${LICENSES.externalLists}`);
  }
  return configuration.lists.some((candidate) => candidate.id === list)
    ? { number: connection }
    : refuse("noSuchObject", `no list ${list} is configured`, "list");
}

function unsubscribed({ lists }: State, list: number, connection: number): Event[] {
  const before = lists.get(list);
  if (before === undefined || !before.subscribers.has(connection)) return [];
  const subscribers = new Set(before.subscribers);
  subscribers.delete(connection);
  const contents = subscribers.size === 0 ? undefined : { ...before, subscribers };
  return [{ type: "listchanged", list, contents }];
}
