import { noDevice } from "../../core/backup/device.ts";
import type { May } from "../../core/users/user.ts";
import { NO_TOKEN } from "../request-token.ts";
import type { Caller } from "./method.ts";

/**
 * Makes the caller of requests that came over an interface without users, such as Ember+. `address`
 * is the one that the audit trail and the limits of changes know; `may` stands for the rights of a
 * user.
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
