/**
 * Changing a user: the RPC `modifyuser` (decisions.md, "Users").
 *
 * @module
 */
import type { Command } from "../command.ts";
import { canonicalJson } from "../json.ts";
import { type AddedUser, noSuchUser, noticeOf, takenRefusal } from "./adduser.ts";
import { lastAdminRefusal } from "./admin.ts";
import { readExpiry } from "./expiry.ts";
import { logoutIfLost } from "./login.ts";
import { hashToken, makeToken } from "./token.ts";
import type { May, User } from "./user.ts";

/** The user to change, and the new attributes; undefined attributes stay. */
export interface ModifyUser {
  readonly name: string;
  /** The groups to be in from now on, as a bitmask of groups 1..8. */
  readonly groups?: number | undefined;
  readonly admin?: boolean | undefined;
  readonly engine?: boolean | undefined;
  readonly may?: May | undefined;
  /** Time at which the token expires, as for `addUser`; `null` for never. */
  readonly expires?: string | null | undefined;
  /** Whether to replace the token by a new one. */
  readonly newtoken?: boolean | undefined;
}

/**
 * Changes a user, and returns the new token if requested, and the notice of `addUser`. The device
 * does not store the token, so it cannot be read again. The old token is invalid from then on. A
 * user who gets a new token, or may not operate any more, is logged out everywhere. Refused: an
 * unknown name (6), an `expires` that is not in the future (3), and a change that leaves no admin,
 * or no admin whose token never expires (7).
 */
export function modifyUser(params: ModifyUser): Command<Partial<AddedUser>> {
  const { name, groups, admin, engine, may, newtoken = false } = params;
  return (state, _actor, { clock, random }) => {
    const before = state.users.get(name);
    if (before === undefined) return noSuchUser(name);
    const now = clock.now();
    const { expires: expiry, used, ...rest } = before;
    const { expires = expiry } = params;
    const until = expires === null || expires === expiry
      ? expires ?? undefined
      : readExpiry(expires!, now);
    if (typeof until === "object") return until;
    const mayBeNone = admin === false || (until !== undefined && expiry === undefined);
    const refusal = mayBeNone ? lastAdminRefusal(state.users, name, now) : undefined;
    if (refusal !== undefined) return refusal;
    const token = newtoken ? makeToken(random) : undefined;
    const taken = token === undefined ? undefined : takenRefusal(state.users, token);
    if (taken !== undefined) return taken;
    const user: User = {
      ...rest,
      groups: groups ?? before.groups,
      admin: admin ?? before.admin,
      engine: engine ?? before.engine,
      may: may ?? before.may,
      ...(until === undefined ? {} : { expires: until }),
      // The last use of the old token is not that of a new one.
      ...(token === undefined ? used && { used } : { tokenHash: hashToken(token) }),
    };
    const isSame = canonicalJson(user) === canonicalJson(before);
    return {
      events: [
        ...(isSame ? [] : [{ type: "userwritten", user } as const]),
        ...logoutIfLost(state, before, user),
      ],
      result: { ...(token === undefined ? {} : { token }), ...noticeOf(state, user) },
    };
  };
}
