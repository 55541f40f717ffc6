/**
 * Rights beyond groups: to view, to press, to operate and to configure (decisions.md, "Users").
 *
 * @module
 */
import type { Configuration } from "../configuration/configuration.ts";
import { type Refusal, refuse } from "../errors.ts";
import type { State } from "../state.ts";
import { type Actor, MAY, type May, type User } from "./user.ts";

/** Returns what a user may do: an admin may always configure. */
export function mayOf({ admin, may }: Pick<User, "admin" | "may">): May {
  return admin ? "configure" : may;
}

/** The rights that the configuration gives to callers without a token. */
type Access = Pick<Configuration, "auth" | "anonymous">;

/** Returns what a caller without a token may do; undefined for nothing at all. */
export function mayWithoutToken({ auth, anonymous }: Access): May | undefined {
  if (auth === "required" || anonymous === "none") return undefined;
  // As before rights were introduced: then every caller could configure.
  return anonymous === "operate" ? "configure" : "view";
}

/** Returns what an actor may do while nobody is logged in; undefined for nothing at all. */
export function mayOfNobody(access: Access, { atMost }: Pick<Actor, "atMost">): May | undefined {
  const may = mayWithoutToken(access);
  return may === undefined || atMost === undefined ? may : lesser(may, atMost);
}

/** Returns the lesser of two rights. */
export function lesser(one: May, other: May): May {
  return isLess(other, one) ? other : one;
}

/**
 * Returns a sentence if a user who may not operate could do so without the token, with the remedy;
 * undefined if no user gains by logging out.
 */
export function gainByLoggingOut(
  { users, configuration }: Pick<State, "users" | "configuration">,
): string | undefined {
  const { restApi, websocket } = configuration;
  const isClosed = mayWithoutToken(configuration) !== "configure" ||
    (restApi.auth === "required" && websocket.auth === "required");
  const bound = [...users.values()].find((user) => isLess(mayOf(user), "operate"));
  return isClosed || bound === undefined
    ? undefined
    : `user ${bound.name} may only ${
      mayOf(bound)
    }, but may operate by logging out: a caller without a ` +
      'token may, unless the configuration has "anonymous": "view"';
}

/**
 * Refuses an actor without the right that is `needed`: a user (5), an actor without a token (4),
 * and an actor of an interface without users, which has a right of its own (5). The device itself
 * may do anything.
 */
export function mayRefusal(
  access: Access,
  actor: Actor,
  needed: May,
  what = "this",
): Refusal | undefined {
  const { user, isDevice, may: ofInterface } = actor;
  if (isDevice === true) return undefined;
  const may = ofInterface ?? (user === undefined ? mayOfNobody(access, actor) : mayOf(user));
  if (may !== undefined && !isLess(may, needed)) return undefined;
  if (user === undefined && ofInterface === undefined) {
    return refuse("notLoggedIn", `expected the token of a user who may ${needed}`, "token");
  }
  const who = user === undefined ? "this interface" : `user ${user.name}`;
  return refuse("noRight", `${who} may only ${may}, and ${what} needs the right to ${needed}`);
}

function isLess(may: May, than: May): boolean {
  return MAY.indexOf(may) < MAY.indexOf(than);
}
