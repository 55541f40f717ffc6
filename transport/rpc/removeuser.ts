import { removeUser } from "../../core/users/adduser.ts";
import { byAdmin } from "../../core/users/admin.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { done, userName } from "../schemas.ts";

/** Removes a user; ours, for admins. */
export const removeuser = rpcMethod({
  name: "removeuser",
  summary: "Remove a user, whose connections are closed. For admins.",
  params: { name: userName },
  result: done,
  // Not marked as `writes`, so it does not overlap with others: if it closes its own connection, it
  // is answered before.
  run: (console, { name }, actor) => console.dispatch(byAdmin(removeUser(name)), actor),
});
