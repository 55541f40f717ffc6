import * as v from "valibot";
import { addUser, USER_NAME, USER_NAME_FORM } from "../../core/users/adduser.ts";
import { byAdmin } from "../../core/users/admin.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { expires, isAdmin, isEngine, may, newToken, notice, userGroups } from "../schemas.ts";

/** Adds a user; ours, for admins. */
export const adduser = rpcMethod({
  name: "adduser",
  summary: "Add a user; the token in the result is not shown again. For admins.",
  params: {
    name: v.pipe(
      v.string(USER_NAME_FORM),
      v.regex(USER_NAME, USER_NAME_FORM),
      v.description(USER_NAME_FORM),
    ),
    groups: userGroups,
    admin: v.optional(isAdmin, false),
    engine: v.optional(isEngine, false),
    may: v.optional(may, "operate"),
    expires: v.optional(expires),
  },
  result: v.object({ token: newToken, notice }),
  writes: true,
  run: (console, params, actor) => console.dispatch(byAdmin(addUser(params)), actor),
});
