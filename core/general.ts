/**
 * The members of `general` that tell the time (control-tree.md): `_systemtime` and `_uptime` follow
 * the clock, `_hourmeter` counts the hours of operation over all starts.
 *
 * @module
 */
import type { Command, Decision } from "./console.ts";
import type { Clock } from "./ports.ts";
import type { State } from "./state.ts";
import { treeChanged } from "./tree/change.ts";
import type { Branch, Leaf } from "./tree/patch.ts";

const MS = 1000;

/**
 * Brings `_systemtime` and `_uptime` (whole seconds) up to date. The program asks for it every second
 * for its subscribers, and every `get` of `general` asks first. The origin of the monotonic clock is
 * the start of the program.
 */
export const refreshGeneral: Command<Record<string, never>> = (state, _actor, { clock }) =>
  change(state, times(clock), false);

/** Counts one more hour of operation; the program asks for it once an hour. */
export const countHour: Command<Record<string, never>> = (state) => {
  const { _hourmeter } = state.tree.general as Branch;
  return change(state, { _hourmeter: (_hourmeter as number) + 1 }, true);
};

function times(clock: Clock): Record<string, Leaf> {
  return {
    _systemtime: Math.floor(clock.now() / MS),
    _uptime: Math.floor(clock.monotonic() / MS),
  };
}

function change(
  state: State,
  values: Record<string, Leaf>,
  durable: boolean,
): Decision<Record<string, never>> {
  const general = state.tree.general as Branch;
  const changed = Object.entries(values).filter(([member, value]) => general[member] !== value);
  if (changed.length === 0) return { events: [], result: {} };
  const patch = { general: Object.fromEntries(changed) };
  return { events: [treeChanged(state, patch, durable)], result: {} };
}
