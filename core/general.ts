/**
 * These members of `general` change by themselves (control-tree.md): `_systemtime` and `_uptime`
 * follow the clock, `_hourmeter` counts the hours of operation over all starts, `_activewebsockets`
 * the connections that are open.
 *
 * @module
 */
import type { Command, Done } from "./command.ts";
import type { State } from "./state.ts";
import { type Branch, find, type Leaf, nest, type Patch, type Path } from "./tree/tree.ts";
import { volatileChange } from "./tree/treechanged.ts";

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

const HOURMETER: Path = ["general", "_hourmeter"];

/** Returns the value of `_hourmeter` in the tree. */
export function hourmeterOf({ tree }: State): number {
  return find(tree, HOURMETER) as number;
}

/**
 * Brings `_systemtime` and `_uptime` (whole seconds), `_hourmeter` (whole hours) and
 * `_activewebsockets` up to date, or only one of them. A `get` does so for the members that it
 * reads. While clients are connected, all members are refreshed every second and not at each
 * connection, so that a thousand clients that connect at once are not told a thousand times how
 * many they are.
 */
export function refreshGeneral(only?: string): Command<Done> {
  return (state, _actor, { clock, connections }) => {
    const uptime = clock.monotonic() - state.startedAt;
    const values: Record<string, Leaf> = {
      _systemtime: Math.floor(clock.now() / SECOND_MS),
      _uptime: Math.floor(uptime / SECOND_MS),
      _hourmeter: state.hours + Math.floor(uptime / HOUR_MS),
      _activewebsockets: connections?.() ?? 0,
    };
    const general = state.tree.general as Branch;
    const changed = Object.entries(values).filter(([member, value]) =>
      (only === undefined || only === member) && general[member] !== value
    );
    const patch = changed.length === 0 ? undefined : { general: Object.fromEntries(changed) };
    // Otherwise each `get` would leave a callback behind a write that hangs.
    return { events: volatileChange(patch), result: {}, waitsFor: () => false };
  };
}

/**
 * Stores `_hourmeter` if it has grown. It is called every second while a WebSocket is open, and at
 * the end of the program; a power cut loses the hours without one.
 */
export const keepHours: Command<Done> = (state) => {
  const hours = hourmeterOf(state);
  if (hours === (find(state.stored, HOURMETER) ?? 0)) return { events: [], result: {} };
  return { events: [{ type: "valueskept", patch: nest(HOURMETER, hours) as Patch }], result: {} };
};
