/**
 * Login on a virtual mixer: the REST actions `login` and `logout` (service.md). The user is `_user`
 * of the mixer until a logout, a restart, or the end of the right to log in.
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import type { Console } from "../console.ts";
import { isRefusal, refuse } from "../errors.ts";
import type { ConsoleEvent } from "../events.ts";
import type { State } from "../state.ts";
import { mixerPath } from "../tree/resources.ts";
import { find, nest, type Patch, type Path } from "../tree/tree.ts";
import { volatileChange } from "../tree/treechanged.ts";
import { mayRefusal } from "./may.ts";
import { DEVICE, isExpired, type User } from "./user.ts";

/** The value of `_user` while nobody is logged in. */
const NOBODY = "";

/**
 * Logs the actor in on a mixer, in place of the previous user. Refused: an actor without a login
 * (4), a mixer that is not configured (6).
 */
export function login(mixer: number): Command<{ user: string }> {
  return onMixer(mixer, ({ name }) => name, ({ name: user }) => ({ user }));
}

/**
 * Logs out the user of a mixer. Refused: an actor without a login (4), a mixer that is not
 * configured (6).
 */
export function logout(mixer: number): Command<Done> {
  return onMixer(mixer, () => NOBODY, () => ({}));
}

function onMixer<Result>(
  mixer: number,
  shown: (by: User) => string,
  result: (by: User) => Result,
): Command<Result> {
  return (state, { user }) => {
    if (user === undefined) {
      return refuse("notLoggedIn", "expected the token of a user, it is missing", "token");
    }
    const path = mixerPath(state, mixer);
    if (isRefusal(path)) return path;
    const isThere = find(state.tree, [...path, "_user"]) === shown(user);
    const events = isThere ? [] : userChanged(path, shown(user));
    return { events, result: result(user), waitsFor: changesUsers };
  };
}

/**
 * Says whether a login has to wait for an event: a change of users that is being stored comes
 * first.
 */
export function changesUsers({ type }: ConsoleEvent): boolean {
  return type === "userwritten" || type === "userremoved" || type === "restored";
}

/**
 * Returns the events that log a user out of every mixer if the user was removed, has another token,
 * or may not log in any more; otherwise none.
 */
export function logoutIfLost(
  state: State,
  before: User,
  after: User | undefined,
): ConsoleEvent[] {
  const stays = after?.tokenHash === before.tokenHash &&
    mayRefusal(state.configuration, { user: after }, "operate") === undefined;
  return stays ? [] : logoutEverywhere(state, before.name);
}

/**
 * Logs out of the mixers the users whose tokens have expired. While clients are connected it is
 * done every second.
 */
export const endExpiredLogins: Command<Done> = (state, _actor, { clock }) => {
  const events: ConsoleEvent[] = [];
  for (const { id } of state.configuration.mixers) {
    const path = ["audio", "mixers", String(id)];
    const user = state.users.get(find(state.tree, [...path, "_user"]) as string);
    if (user !== undefined && isExpired(user, clock.now())) {
      events.push(...userChanged(path, NOBODY));
    }
  }
  // Where none ends, nothing waits: the next call comes soon, and finds the users stored by then.
  return { events, result: {}, waitsFor: (event) => events.length > 0 && changesUsers(event) };
};

/** The path of the logins on mixers, "*" for any mixer. */
const LOGINS: Path = ["audio", "mixers", "*", "_user"];

/**
 * From now on each read of a `_user` first ends the logins whose tokens have expired. The sessions
 * of a service end them every second, but only while clients are connected.
 */
export function followExpiredLogins(console: Console): void {
  console.beforeReading((path) => {
    if (path.length > LOGINS.length) return;
    const covers = path.every((member, at) => LOGINS[at] === "*" || LOGINS[at] === member);
    if (covers) console.dispatch(endExpiredLogins, DEVICE);
  });
}

/** Makes the events that log a user out of every mixer. */
export function logoutEverywhere(state: State, name: string): ConsoleEvent[] {
  return state.configuration.mixers.map(({ id }) => ["audio", "mixers", String(id)])
    .filter((path) => find(state.tree, [...path, "_user"]) === name)
    .flatMap((path) => userChanged(path, NOBODY));
}

function userChanged(mixer: Path, name: string): ConsoleEvent[] {
  return volatileChange(nest(mixer, { _user: name }) as Patch);
}
