/**
 * Lists change here: every command that changes some comes to this.
 *
 * @module
 */
import { changesConfiguration } from "../backup/restored.ts";
import type { Command, Decision } from "../command.ts";
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import type { ConsoleEvent } from "../events.ts";
import type { State } from "../state.ts";
import { volatileChange } from "../tree/treechanged.ts";
import { type ListChanges, listsPatch } from "./branch.ts";
import { type ExternalList, heldOnlyIn, licenseRefusal } from "./list.ts";
import type { ListChanged } from "./listchanged.ts";
import type { ListNotified } from "./listnotified.ts";

/** A client uses a list over its connection. */
export interface UsedList {
  /** The list as it is; undefined where nobody is subscribed to it. */
  readonly before: ExternalList | undefined;
  readonly connection: number;
  /** How many entries one of its pages has. */
  readonly pageSize: number;
}

/**
 * Makes the command that makes of one list what `becomes` says. Before that is asked, it refuses
 * a caller without a WebSocket connection (8), a console without the license (9), and a list
 * that is not configured (6).
 */
export function changeList<Result>(
  list: number,
  result: Result,
  becomes: (used: UsedList) => ExternalList | undefined | Refusal,
): Command<Result> {
  return (state, { connection }) => {
    const { configuration, lists } = state;
    if (connection === undefined) {
      return refuse("webSocketOnly", "external lists are for WebSocket connections only");
    }
    const unlicensed = licenseRefusal(configuration);
    if (unlicensed !== undefined) return unlicensed;
    const configured = configuration.lists.find(({ id }) => id === list);
    if (configured === undefined) {
      return refuse("noSuchObject", `no list ${list} is configured`, "list");
    }
    const { pageSize } = configured;
    const after = becomes({ before: lists.get(list), connection, pageSize });
    if (after !== undefined && isRefusal(after)) return after;
    return changeLists(state, new Map([[list, after]]), result);
  };
}

/** Refuses (6) a list that nobody is subscribed to. */
export function absentList(list: number): Refusal {
  return refuse("noSuchObject", `nobody has registered list ${list}, so it does not exist`, "list");
}

/**
 * Decides that lists change: what the control tree shows of all of them changes at once, and the
 * subscribers that a list has then are told which of its buttons went down or up.
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
