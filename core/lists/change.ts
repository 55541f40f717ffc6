/**
 * How lists change: every command that changes some comes to this.
 *
 * @module
 */
import { changesConfiguration } from "../backup/restored.ts";
import type { Decision } from "../command.ts";
import type { Event } from "../events.ts";
import type { State } from "../state.ts";
import { volatileChange } from "../tree/treechanged.ts";
import { type ListChanges, listsPatch } from "./branch.ts";
import type { ExternalList } from "./list.ts";
import type { ListChanged } from "./listchanged.ts";
import type { ListNotified } from "./listnotified.ts";

/**
 * The decision by which lists change: what the control tree shows of all of them changes at once, and
 * the subscribers that a list then has are told which of its buttons went down or up.
 */
export function changeLists<Result>(
  state: State,
  changes: ListChanges,
  result: Result,
): Decision<Result> {
  const { configuration, lists } = state;
  const changed = [...changes].filter(([list, contents]) => contents !== lists.get(list));
  const patch = listsPatch(configuration, lists, changes);
  const events: Event[] = [
    ...changed.map(([list, contents]): ListChanged => ({ type: "listchanged", list, contents })),
    ...volatileChange(patch),
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
  const notified = (from: ExternalList, to: ExternalList, on: 0 | 1) =>
    [...to.held.keys()].filter((entry) => !from.held.has(entry))
      .map((entry) => ({ type: "listnotified", list, entry, on, subscribers } as const));
  return [...notified(after, before, 0), ...notified(before, after, 1)];
}
