/**
 * The rights that comparisons and templates require.
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import type { FleetActor, HubCore } from "../hub/hub-core.ts";
import type { FleetMay } from "../wire.ts";
import { templateRefusal } from "./templates.ts";

/** Refuses (4) an actor without a present entry among the users of the fleet. */
export function userRefusal({ user }: FleetActor, core: HubCore): Refusal | undefined {
  if (user && core.refresh(user) !== undefined) return undefined;
  return refuse("notLoggedIn", "expected the token of a user of the fleet", "token");
}

/**
 * Refuses as {@link userRefusal} does, and (5) a user without the right `needs` on all consoles.
 */
export function allRefusal(by: FleetActor, needs: FleetMay, core: HubCore): Refusal | undefined {
  const now = by.user && core.refresh(by.user);
  return now === undefined ? userRefusal(by, core) : templateRefusal(now, needs);
}
