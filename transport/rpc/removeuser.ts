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
  // It is not a write that overlaps others: where it closes its connection, it is answered before.
  run: (console, { name }, actor) => console.dispatch(byAdmin(removeUser(name)), actor),
});
