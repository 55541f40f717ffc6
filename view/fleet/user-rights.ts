/**
 * The rights of a user of the fleet: in words, and as the rows of a form.
 *
 * @module
 */
import type { FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import type { fleetUsersTexts } from "../texts/fleet-users.ts";

/** A user, as the hub lists them. */
export type FleetUser = FleetRpcResult<"fleetuserlist">[number];

/** A right for a site or for a console. */
export type PlaceRight = FleetUser["rights"][number];

/** The right of a user. */
export type FleetMay = PlaceRight["may"];

/** The rights, the least first. */
export const MAYS = ["view", "press", "operate", "configure", "admin"] as const;

/** The words and functions by which rights become texts. */
export interface RightsWords {
  readonly own: ReturnType<typeof fleetUsersTexts>;
  /** Names a console by its id. */
  readonly nameOf: (id: string) => string;
}

/** Returns the rights in words: those for sites and consoles, then the right everywhere else. */
export function rightsText(
  { may, rights = [] }: { readonly may?: FleetMay | null; readonly rights?: readonly PlaceRight[] },
  { own, nameOf }: RightsWords,
): string {
  const right = may && own.mays[may];
  if (rights.length === 0) return right ? own.onAll(right) : own.none;
  return [
    ...rights.map((one) =>
      "site" in one
        ? own.atSite(own.mays[one.may], one.site)
        : own.onConsole(own.mays[one.may], nameOf(one.console))
    ),
    right ? own.elsewhere(right) : own.noneElsewhere,
  ].join(", ");
}

/** A row of the form. */
export interface RightRow {
  /** The site or the console, as `placeOf` writes it; empty until one is chosen. */
  readonly place: string;
  readonly may: FleetMay;
}

/** Returns the site or console of a right as a text: `site Berlin`, `console 0a1b`. */
export function placeOf(right: PlaceRight): string {
  return "site" in right ? `site ${right.site}` : `console ${right.console}`;
}

/** Returns the right of a row whose place is chosen. */
export function rightOf({ place, may }: RightRow): PlaceRight {
  const [kind] = place.split(" ", 1);
  const name = place.slice(kind!.length + 1);
  return kind === "site" ? { site: name, may } : { console: name, may };
}
