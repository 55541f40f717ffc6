/**
 * The RPC `adduser` (decisions.md, "Users").
 *
 * @module
 */
import * as v from "valibot";
import { addUser } from "../../core/users/add.ts";
import { byAdmin } from "../../core/users/admin.ts";
import { rpcMethod } from "./method.ts";
import { isAdmin, isEngine, userGroups, userName } from "./parameters.ts";

/** Adds a user; ours, for admins. */
export const adduser = rpcMethod({
  name: "adduser",
  summary: "Add a user; the token in the result is not shown again. For admins.",
  params: v.object({
    name: userName,
    groups: userGroups,
    admin: v.optional(isAdmin, false),
    engine: v.optional(isEngine, false),
  }),
  writes: true,
  run: (console, params, actor) => console.dispatch(byAdmin(addUser(params)), actor),
});
