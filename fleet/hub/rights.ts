/**
 * The rights of the users of a fleet: for all consoles, for those of a site, and for one.
 *
 * @module
 */
import { type ConsoleId, FLEET_MAY, type FleetMay } from "../wire.ts";

/** A right that counts on the consoles of a site, or on one console. */
export type FleetRight =
  | { readonly site: string; readonly may: FleetMay }
  | { readonly console: ConsoleId; readonly may: FleetMay };

/** A user of the fleet, as a hub knows one. */
export interface Person {
  readonly name: string;
  /** What they may do on each console that none of `rights` names; undefined for nothing. */
  readonly may?: FleetMay | undefined;
  /** At most one for a site, and one for a console. */
  readonly rights?: readonly FleetRight[] | undefined;
}

/**
 * Returns what a user may do on a console of a site, of which each console may allow less; undefined
 * for a console that they do not see. Of several rights the most specific counts: that for the
 * console, then that for the site, then that for all.
 */
export function rightAt(
  { may, rights = [] }: Person,
  id: ConsoleId,
  site: string,
): FleetMay | undefined {
  const ofConsole = rights.find((right) => "console" in right && right.console === id);
  const ofSite = rights.find((right) => "site" in right && right.site === site);
  return (ofConsole ?? ofSite)?.may ?? may;
}

/** Says whether a user sees each console: no right hides one that the right for all shows. */
export function seesAll({ may }: Person): boolean {
  return may !== undefined;
}

/** Returns the highest right that a user has on any console; "view" without any. */
export function highestRight({ may = "view", rights = [] }: Person): FleetMay {
  const all = [may, ...rights.map(({ may }) => may)];
  return FLEET_MAY.findLast((right) => all.includes(right))!;
}
