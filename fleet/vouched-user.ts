/**
 * The users of a fleet on one of its consoles: the hub vouches for them, and the console limits
 * their rights to its own `fleet.may`.
 *
 * @module
 */
import { ALL_GROUPS } from "../core/users/groups.ts";
import type { May, User } from "../core/users/user.ts";
import type { Vouched } from "../transport/arrival.ts";
import { FLEET_MAY, type FleetMay, type FleetUser } from "./wire.ts";

/** Prefix of the name of a fleet user; no name of a console's own user has a colon. */
export const FLEET_PREFIX = "fleet:";

const EPOCH = "1970-01-01T00:00:00.000Z";

/** Returns the lesser of two rights. */
export function lesserMay(one: FleetMay, other: FleetMay): FleetMay {
  return FLEET_MAY.indexOf(one) < FLEET_MAY.indexOf(other) ? one : other;
}

/**
 * Returns the actor of a request on a console whose `fleet.may` is `most`: the fleet user, or,
 * without a user, an anonymous actor whose rights are limited to `fleet.may`.
 */
export function vouchedOf(as: FleetUser | undefined, most: FleetMay): Vouched {
  if (as === undefined) return { atMost: mayBelowAdmin(most) };
  const granted = lesserMay(as.may, most);
  const may = mayBelowAdmin(granted);
  const user: User = {
    name: `${FLEET_PREFIX}${as.name}`,
    groups: ALL_GROUPS,
    admin: granted === "admin",
    engine: false,
    created: EPOCH,
    may,
    tokenHash: "",
    vouched: true,
  };
  return { user, atMost: may };
}

/** An admin may configure. */
function mayBelowAdmin(may: FleetMay): May {
  return may === "admin" ? "configure" : may;
}
