/**
 * The time of the last use of each token (decisions.md, "Users").
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { TOKEN_USE_KEPT_MS } from "../limits.ts";

/**
 * Stores the present time as the last use of the token of a user. To save flash it is stored at
 * most once an hour, so the stored time may be an hour old.
 */
export function noteUse(name: string): Command<Done> {
  return ({ users }, _actor, { clock }) => {
    const user = users.get(name);
    const now = clock.now();
    // After the clock was set back, the stored time is in the future and has to be replaced, too.
    const isKept = user?.used !== undefined &&
      Math.abs(now - Date.parse(user.used)) < TOKEN_USE_KEPT_MS;
    if (user === undefined || isKept) return { events: [], result: {} };
    return { events: [{ type: "tokenused", name, at: new Date(now).toISOString() }], result: {} };
  };
}
