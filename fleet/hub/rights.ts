/**
 * The rights of the users of a fleet: for all consoles, for the consoles of a site, and for one
 * console.
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import { type ConsoleId, FLEET_MAY, type FleetMay } from "../wire.ts";

/** A right that counts on the consoles of a site, or on one console. */
export type FleetRight =
  | { readonly site: string; readonly may: FleetMay }
  | { readonly console: ConsoleId; readonly may: FleetMay };

/** A user of the fleet, as a hub knows it. */
export interface Person {
  readonly name: string;
  /** The right on each console that none of `rights` names; undefined for none. */
  readonly may?: FleetMay | undefined;
  /** At most one right for each site and each console. */
  readonly rights?: readonly FleetRight[] | undefined;
}

/**
 * Returns the right of a user on a console of a site, which the console may limit further;
 * undefined for a console that the user does not see. Of several rights the most specific counts:
 * the right for the console, then the right for the site, then the right for all.
 */
export function rightAt(
  { may, rights = [] }: Person,
  id: ConsoleId,
  site: string,
): FleetMay | undefined {
  const ofConsole = rights.find((right) => "console" in right && right.console === id);
  const ofSite = rights.find((right) => "site" in right && isSameSite(right.site, site));
  return (ofConsole ?? ofSite)?.may ?? may;
}

/** A letter with an accent may be one character or two (Unicode NFC and NFD), and looks the same. */
function isSameSite(one: string, other: string): boolean {
  return one === other || one.normalize() === other.normalize();
}

/**
 * Says whether a user sees every console: no specific right hides a console that the right for all
 * shows.
 */
export function seesAll({ may }: Person): boolean {
  return may !== undefined;
}

/**
 * Refuses a caller who is not logged in (4), and a user whose present entry does not have the right
 * of an admin of the whole fleet (5). `users` returns that entry: undefined if the user was removed.
 */
export function adminRefusal(
  { user }: { readonly user: Person | undefined },
  users: { refresh(user: Person): Person | undefined },
): Refusal | undefined {
  const now = user && users.refresh(user);
  if (now === undefined) {
    return refuse("notLoggedIn", "expected the token of an admin of the fleet", "token");
  }
  if (now.may === "admin") return undefined;
  return refuse("noRight", `user ${now.name} is not an admin of the whole fleet`);
}

/** Returns the highest right that a user has on any console; "view" without any. */
export function highestRight({ may = "view", rights = [] }: Person): FleetMay {
  const all = [may, ...rights.map(({ may }) => may)];
  return FLEET_MAY.findLast((right) => all.includes(right))!;
}
