/**
 * Logics that follow fader channels (`logics[].follows` of the configuration), as a red light
 * follows the microphones: such a logic is true while any fader with one of these channels is on
 * and open. And outputs (GPO) that follow logics: the state of one is the value of the logic of its
 * channel (`logics[].channel`).
 *
 * @module
 */
import { changesConfiguration } from "../backup/restored.ts";
import type { Console } from "../console.ts";
import type { ConsoleEvent } from "../events.ts";
import { FADER_DB } from "../limits.ts";
import type { State } from "../state.ts";
import { find, type Patch, type Tree, unlessEmpty } from "../tree/tree.ts";
import { volatileChange } from "../tree/treechanged.ts";
import { DEVICE } from "../users/user.ts";

/** The members of a fader that decide whether it is open. */
interface FaderPart {
  readonly sourceid: number;
  readonly on: boolean;
  readonly fader: number;
}

/** The logics and the outputs of the control tree. */
interface ControlPart {
  readonly logics: Readonly<Record<number, { readonly value: boolean }>>;
  readonly gpos: Readonly<Record<number, { readonly channel: string; readonly _state: boolean }>>;
}

/**
 * Makes the logics of a console follow their channels, and its outputs the logics, from now on. If
 * a client sets such a logic, it is set back at once; so is the state of an output that an engine
 * reports. Nothing is stored: the values are computed again at each start.
 */
export function followLogics(console: Console): void {
  const follow = (state: State) => {
    const patch = followed(state);
    if (patch === undefined) return;
    console.dispatch(() => ({ events: volatileChange(patch), result: {} }), DEVICE);
  };
  console.watch((event, state) => {
    if (mayMove(event)) follow(state);
  });
  follow(console.state);
}

function mayMove(event: ConsoleEvent): boolean {
  if (event.type !== "treechanged") return changesConfiguration(event);
  if (event.ofMeters === true) return false;
  const { audio, control } = event.patch as Readonly<Record<string, Patch | undefined>>;
  return audio?.mixers !== undefined || control?.logics !== undefined ||
    control?.gpos !== undefined;
}

/** Returns a patch of the logics and outputs that have to change; undefined if there are none. */
function followed(state: State): Patch | undefined {
  const logics = followedLogics(state);
  const gpos = followedOutputs(state, logics ?? {});
  if (logics === undefined && gpos === undefined) return undefined;
  return { control: { ...logics && { logics }, ...gpos && { gpos } } };
}

/** Returns the outputs whose state has to change once the logics have changed, too. */
function followedOutputs({ configuration, tree }: State, logics: Patch): Patch | undefined {
  if (configuration.gpos.length === 0) return undefined;
  const control = tree.control as unknown as ControlPart;
  const states = new Map<string, boolean>();
  for (const { id, channel } of configuration.logics) {
    const { value } = { ...control.logics[id]!, ...logics[id] as Patch | undefined };
    if (channel !== undefined) states.set(channel, states.get(channel) === true || value === true);
  }
  const gpos: Record<string, Patch> = {};
  for (const { id } of configuration.gpos) {
    const { channel, _state } = control.gpos[id]!;
    const state = states.get(channel) ?? false;
    if (state !== _state) gpos[id] = { _state: state };
  }
  return unlessEmpty(gpos);
}

/** Returns the logics whose value has to change; undefined if there are none. */
function followedLogics(state: State): Patch | undefined {
  const following = state.configuration.logics.filter(({ follows }) => follows !== undefined);
  if (following.length === 0) return undefined;
  const open = openChannels(state);
  const logics: Record<string, Patch> = {};
  for (const { id, follows } of following) {
    const value = follows!.some((channel) => open.has(channel));
    const path = ["control", "logics", String(id), "value"];
    if (find(state.tree, path) !== value) logics[id] = { value };
  }
  return unlessEmpty(logics);
}

function openChannels({ configuration, tree }: State): ReadonlySet<number> {
  const open = new Set<number>();
  for (const { id } of configuration.mixers) {
    const faders = find(tree, ["audio", "mixers", String(id), "faders"]) as Tree;
    for (const { sourceid, on, fader } of Object.values(faders) as unknown as FaderPart[]) {
      if (on && fader > FADER_DB.min) open.add(sourceid);
    }
  }
  return open;
}
