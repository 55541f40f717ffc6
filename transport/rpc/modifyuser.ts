import * as v from "valibot";
import { byAdmin } from "../../core/users/admin.ts";
import { modifyUser } from "../../core/users/modifyuser.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import {
  expires,
  flag,
  isAdmin,
  isEngine,
  may,
  newToken,
  notice,
  userGroups,
  userName,
} from "../schemas.ts";

/** Changes a user; only for admins. An addition to the specification. */
export const modifyuser = rpcMethod({
  name: "modifyuser",
  summary:
    "Change the given members of a user. With newtoken, the old token is no longer valid, and the new one in the result is not shown again. For admins.",
  params: {
    name: userName,
    groups: v.optional(userGroups),
    admin: v.optional(isAdmin),
    engine: v.optional(isEngine),
    may: v.optional(may),
    expires: v.optional(v.nullable(expires)),
    newtoken: v.optional(flag("make a new token")),
  },
  result: v.object({ token: v.exactOptional(newToken), notice }),
  // Not marked as `writes`, so it does not overlap with others: if it closes its own connection, it
  // is answered before.
  run: (console, params, actor) => console.dispatch(byAdmin(modifyUser(params)), actor),
});
