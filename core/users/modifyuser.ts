/**
 * Changing a user: the RPC `modifyuser` (decisions.md, "Users").
 *
 * @module
 */
import type { Command } from "../command.ts";
import { noSuchUser, takenRefusal } from "./adduser.ts";
import { lastAdminRefusal } from "./admin.ts";
import { logoutEverywhere } from "./login.ts";
import { hashToken, makeToken } from "./token.ts";

/** This says whom to change, and what about the user; what is undefined stays as it is. */
export interface ModifyUser {
  readonly name: string;
  /** The groups to be in from now on, as a bitmask of groups 1..8. */
  readonly groups?: number | undefined;
  readonly admin?: boolean | undefined;
  readonly engine?: boolean | undefined;
  /** Whether to make a new token in the place of the old one. */
  readonly newtoken?: boolean | undefined;
}

/**
 * Changes a user, and answers the new token where one was asked for. The device does not keep that
 * token, so nobody can ask for it again. The old one is worth nothing from then on, and the user is
 * logged out everywhere. Refused: a name that nobody has (6), and that the last admin be none any
 * more (7).
 */
export function modifyUser(
  { name, groups, admin, engine, newtoken = false }: ModifyUser,
): Command<{ token?: string }> {
  return (state, _actor, { random }) => {
    const before = state.users.get(name);
    if (before === undefined) return noSuchUser(name);
    const refusal = admin === false ? lastAdminRefusal(state.users, name) : undefined;
    if (refusal !== undefined) return refusal;
    const changed = {
      ...before,
      groups: groups ?? before.groups,
      admin: admin ?? before.admin,
      engine: engine ?? before.engine ?? false,
    };
    if (newtoken) {
      const token = makeToken(random);
      const user = { ...changed, tokenHash: hashToken(token) };
      return takenRefusal(state.users, token) ?? {
        events: [{ type: "userwritten", user }, ...logoutEverywhere(state, name)],
        result: { token },
      };
    }
    const same = changed.groups === before.groups && changed.admin === before.admin &&
      changed.engine === (before.engine ?? false);
    return { events: same ? [] : [{ type: "userwritten", user: changed }], result: {} };
  };
}
