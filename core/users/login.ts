/**
 * Who is logged in on a virtual mixer: the REST actions `login` and `logout` (service.md). It shows
 * as `_user` of the mixer, and is gone at a restart.
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import type { Event } from "../events.ts";
import type { State } from "../state.ts";
import { treeChanged } from "../tree/treechanged.ts";
import { find } from "../tree/tree.ts";
import { stillThere } from "./user.ts";

/** Nobody, as `_user` says it. */
const NOBODY = "";

/** Puts the actor on a mixer, whoever was there. Refused: nobody known (4), no such mixer (6). */
export function login(mixer: number): Command<{ user: string }> {
  return (state, actor) => {
    const { user } = stillThere(state.users, actor);
    if (user === undefined) return nobodyKnown();
    const events = userOn(state, mixer, user.name);
    if (isRefusal(events)) return events;
    return {
      events,
      result: { user: user.name },
      waitsFor: changesUsers,
    };
  };
}

/** Takes off a mixer whoever is there. Refused: an actor nobody knows (4), no such mixer (6). */
export function logout(mixer: number): Command<Done> {
  return (state, actor) => {
    if (stillThere(state.users, actor).user === undefined) return nobodyKnown();
    const events = userOn(state, mixer, NOBODY);
    if (isRefusal(events)) return events;
    return { events, result: {}, waitsFor: changesUsers };
  };
}

/** A change of users, be it by a restore, that is on its way to the medium was first. */
function changesUsers({ type }: Event): boolean {
  return type === "userwritten" || type === "userremoved" || type === "restored";
}

function nobodyKnown(): Refusal {
  return refuse("notLoggedIn", "expected a user's token", "token");
}

/** The events that take a user off every mixer. */
export function logoutEverywhere(state: State, name: string): Event[] {
  return state.configuration.mixers.flatMap(({ id }) => {
    const there = find(state.tree, ["audio", "mixers", String(id), "_user"]);
    return there === name ? [userChanged(state, id, NOBODY)] : [];
  });
}

function userOn(state: State, mixer: number, name: string): Event[] | Refusal {
  const there = find(state.tree, ["audio", "mixers", String(mixer), "_user"]);
  if (there === undefined) return refuse("noSuchObject", `there is no mixer ${mixer}`, "mixer");
  return there === name ? [] : [userChanged(state, mixer, name)];
}

function userChanged(state: State, mixer: number, name: string): Event {
  return treeChanged(state, { audio: { mixers: { [mixer]: { _user: name } } } }, false);
}
