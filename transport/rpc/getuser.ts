import * as v from "valibot";
import { tellUser } from "../../core/users/getuser.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { userMembers } from "../schemas.ts";

/**
 * Returns the user of the caller, for clients that show the rights of their user. An addition to
 * the specification.
 */
export const getuser = rpcMethod({
  name: "getuser",
  summary: "Get the user of the caller and its rights; the name is null without a login.",
  params: {},
  result: v.object({
    name: v.pipe(v.nullable(v.string()), v.description("name of the user; null without a login")),
    ...userMembers,
  }),
  reads: true,
  run: ({ state }, _params, actor) => ({ result: tellUser(state, actor) }),
});
