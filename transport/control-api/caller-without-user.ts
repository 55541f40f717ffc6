import { noDevice } from "../../core/backup/device.ts";
import type { May } from "../../core/users/user.ts";
import { NO_TOKEN } from "../request-token.ts";
import type { Caller } from "./method.ts";

/**
 * Makes the caller of requests that came over an interface without users, such as Ember+. The audit
 * trail and the limits on changes use `address`; `may` replaces the rights of a user.
 */
export function callerWithoutUser(
  parts: Pick<Caller, "console" | "scheduler" | "history">,
  address: string,
  may: May,
): Caller {
  return {
    ...parts,
    actor: { address, may },
    device: noDevice,
    clients: () => [],
    authenticate: () => NO_TOKEN,
    refuseLate: (refusal) => refusal,
  };
}
