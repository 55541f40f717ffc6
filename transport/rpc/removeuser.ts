/**
 * The RPC `removeuser` (decisions.md, "Users").
 *
 * @module
 */
import * as v from "valibot";
import { removeUser } from "../../core/users/adduser.ts";
import { byAdmin } from "../../core/users/admin.ts";
import { rpcMethod } from "./method.ts";
import { userName } from "./parameters.ts";

/** Removes a user; ours, for admins. */
export const removeuser = rpcMethod({
  name: "removeuser",
  summary: "Remove a user, whose connections are closed. For admins.",
  params: v.object({ name: userName }),
  // Alone on its connection: where that is closed by it, it is answered before, and nothing else waits.
  writes: false,
  run: (console, { name }, actor) => console.dispatch(byAdmin(removeUser(name)), actor),
});
