import * as v from "valibot";
import { tellUser } from "../../core/users/getuser.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { userMembers } from "../schemas.ts";

/** Tells who asks; ours, for clients that show what their user may do. */
export const getuser = rpcMethod({
  name: "getuser",
  summary: "Tell who asks, and what that user may do; the name is null for who is not logged in.",
  params: {},
  result: v.object({
    name: v.pipe(v.nullable(v.string()), v.description("who is logged in; null for nobody")),
    ...userMembers,
  }),
  reads: true,
  run: ({ state }, _params, actor) => ({ result: tellUser(state, actor) }),
});
