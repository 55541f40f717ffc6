/**
 * Presses buttons of external lists: the RPC `pressextlist` (decisions.md, "RPC"; an addition for
 * device views). A button that several connections hold down goes up when the last of them releases
 * it.
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { isRefusal, refuse } from "../errors.ts";
import { mayRefusal } from "../users/may.ts";
import { absentList, changeList } from "./change.ts";
import { type ExternalList, releasedBy } from "./list.ts";

/** The button of a list that goes down (1) or up (0). */
export interface PressList {
  readonly list: number;
  readonly entry: number;
  readonly on: 0 | 1;
}

/**
 * Presses or releases a button, which needs only the right to press. A connection may always release
 * a button that it holds, even without the right to press or with a used-up write budget: otherwise
 * the button would stay down. Repeating it makes no further event. Refused: a list or entry that
 * does not exist (6), a disabled entry (3).
 */
export function pressList({ list, entry, on }: PressList): Command<Done> {
  const press = changeList(list, {}, ({ before, connection }) => {
    if (before === undefined) return absentList(list);
    const button = before.entries[entry];
    if (button === undefined) {
      const { length } = before.entries;
      const entries = length === 1 ? "1 entry" : `${length} entries`;
      const sentence = `list ${list} has ${entries}, no entry ${entry}`;
      return refuse("noSuchObject", sentence, "entry");
    }
    if (on === 0) return releasedBy(before, connection, [entry]);
    return button.disabled === true
      ? refuse("invalidParameter", `entry ${entry} of list ${list} is disabled`, "entry")
      : pressedBy(before, connection, entry);
  });
  const command: Command<Done> = (state, actor, ports) => {
    const holders = state.lists.get(list)?.held.get(entry);
    const isOwnRelease = on === 0 && actor.connection !== undefined &&
      holders?.has(actor.connection) === true;
    const refusal = isOwnRelease ? undefined : mayRefusal(state.configuration, actor, "press");
    const decision = refusal ?? press(state, actor, ports);
    return isOwnRelease && !isRefusal(decision) ? { ...decision, uncharged: true } : decision;
  };
  return Object.assign(command, { needs: null });
}

/** Returns the list after a connection has pressed a button. */
function pressedBy(list: ExternalList, connection: number, entry: number): ExternalList {
  const holders = list.held.get(entry) ?? new Set<number>();
  if (holders.has(connection)) return list;
  const held = new Map(list.held).set(entry, new Set([...holders, connection]));
  return { ...list, held };
}
