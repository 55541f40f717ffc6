/**
 * The members of `general` that tell the time (control-tree.md): `_systemtime` and `_uptime` follow
 * the clock, `_hourmeter` counts the hours of operation over all starts.
 *
 * @module
 */
import type { Command } from "./console.ts";
import type { Event, State } from "./state.ts";
import { treeChanged } from "./tree/change.ts";
import type { Branch, Leaf } from "./tree/patch.ts";

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

/** `_hourmeter` as the tree holds it. */
export function hourmeterOf({ tree }: Pick<State, "tree">): number {
  return (tree.general as Branch)._hourmeter as number;
}

/**
 * Brings `_systemtime` and `_uptime` (whole seconds) and `_hourmeter` (whole hours, kept on the
 * medium) up to date. Every `get` of `general` asks for it, and while clients are connected every
 * second does; so hours are counted when somebody looks, and none is lost while a client is there.
 * The origin of the monotonic clock is the start of the program.
 */
export const refreshGeneral: Command<Record<string, never>> = (state, _actor, { clock }) => {
  const uptime = clock.monotonic();
  const times = {
    _systemtime: Math.floor(clock.now() / SECOND_MS),
    _uptime: Math.floor(uptime / SECOND_MS),
  };
  const hours = { _hourmeter: state.hoursBefore + Math.floor(uptime / HOUR_MS) };
  return { events: [...changes(state, times, false), ...changes(state, hours, true)], result: {} };
};

function changes(state: State, values: Record<string, Leaf>, durable: boolean): Event[] {
  const general = state.tree.general as Branch;
  const changed = Object.entries(values).filter(([member, value]) => general[member] !== value);
  if (changed.length === 0) return [];
  return [treeChanged(state, { general: Object.fromEntries(changed) }, durable)];
}
