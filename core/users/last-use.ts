/**
 * When each token was last used (decisions.md, "Users").
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { TOKEN_USE_KEPT_MS } from "../limits.ts";

/**
 * Keeps that the token of a user was used now. So that flash does not wear, it is kept once an hour
 * at most; what is kept may be an hour old.
 */
export function noteUse(name: string): Command<Done> {
  return ({ users }, _actor, { clock }) => {
    const user = users.get(name);
    const now = clock.now();
    // A clock that was set back has to be heard, too.
    const isKept = user?.used !== undefined &&
      Math.abs(now - Date.parse(user.used)) < TOKEN_USE_KEPT_MS;
    if (user === undefined || isKept) return { events: [], result: {} };
    return { events: [{ type: "tokenused", name, at: new Date(now).toISOString() }], result: {} };
  };
}
