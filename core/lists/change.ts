/**
 * Changes external lists: every command that changes lists uses this file.
 *
 * @module
 */
import { changesConfiguration } from "../backup/restored.ts";
import type { Command, Decision } from "../command.ts";
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import type { ConsoleEvent } from "../events.ts";
import type { State } from "../state.ts";
import { volatileChange } from "../tree/treechanged.ts";
import type { Actor } from "../users/user.ts";
import { type ListChanges, listsPatch } from "./branch.ts";
import { type ExternalList, heldOnlyIn, licenseRefusal } from "./list.ts";
import type { ListChanged } from "./listchanged.ts";
import type { ListNotified } from "./listnotified.ts";

/** A list, and the connection of the client that changes it. */
export interface UsedList {
  /** The present list; undefined if nobody is subscribed to it. */
  readonly before: ExternalList | undefined;
  readonly connection: number;
  /** Number of entries on one of its pages. */
  readonly pageSize: number;
}

/**
 * Refuses a caller without a WebSocket connection (8), and a console without the license (9). These
 * are checked before any parameter.
 */
export function accessRefusal(
  { configuration }: State,
  { connection }: Pick<Actor, "connection">,
): Refusal | undefined {
  return connection === undefined
    ? refuse("webSocketOnly", "external lists are for WebSocket connections only")
    : licenseRefusal(configuration);
}

/**
 * Makes the command that changes one list by the function `becomes`. Before it calls that, it
 * refuses a caller without a WebSocket connection (8), a console without the license (9), and a
 * list that is not configured (6).
 */
export function changeList<Result>(
  list: number,
  result: Result,
  becomes: (used: UsedList) => ExternalList | undefined | Refusal,
): Command<Result> {
  return (state, actor) => {
    const { configuration, lists } = state;
    const refusal = accessRefusal(state, actor);
    if (refusal !== undefined) return refusal;
    const configured = configuration.lists.find(({ id }) => id === list);
    if (configured === undefined) {
      return refuse("noSuchObject", `no list ${list} is configured`, "list");
    }
    const { pageSize } = configured;
    const after = becomes({ before: lists.get(list), connection: actor.connection!, pageSize });
    if (after !== undefined && isRefusal(after)) return after;
    return changeLists(state, new Map([[list, after]]), result);
  };
}

/** Refuses (6) a list that nobody is subscribed to. */
export function absentList(list: number): Refusal {
  return refuse("noSuchObject", `nobody has registered list ${list}, so it does not exist`, "list");
}

/**
 * Decides changes of lists: the control tree shows all of them at once, and the subscribers of each
 * changed list are told which of its buttons went down or up.
 */
export function changeLists<Result>(
  state: State,
  changes: ListChanges,
  result: Result,
): Exclude<Decision<Result>, Refusal> {
  const { configuration, lists } = state;
  const changed = [...changes].filter(([list, contents]) => contents !== lists.get(list));
  const events: ConsoleEvent[] = [
    ...changed.map(([list, contents]): ListChanged => ({ type: "listchanged", list, contents })),
    ...volatileChange(listsPatch(configuration, lists, changes)),
    ...changed.flatMap(([list, contents]) => notifications(list, lists.get(list), contents)),
  ];
  return { events, result, waitsFor: changesConfiguration };
}

function notifications(
  list: number,
  before: ExternalList | undefined,
  after: ExternalList | undefined,
): ListNotified[] {
  if (before === undefined || after === undefined) return [];
  const { subscribers } = after;
  const notified = (entries: readonly number[], on: 0 | 1) =>
    entries.map((entry) => ({ type: "listnotified", list, entry, on, subscribers } as const));
  return [...notified(heldOnlyIn(before, after), 0), ...notified(heldOnlyIn(after, before), 1)];
}
