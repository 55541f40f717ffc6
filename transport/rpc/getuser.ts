import * as v from "valibot";
import { tellUser } from "../../core/users/getuser.ts";
import { MAY } from "../../core/users/user.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { counts, instant, tells } from "../control-api/rpc-results.ts";

/** Tells who asks; ours, for clients that show what their user may do. */
export const getuser = rpcMethod({
  name: "getuser",
  summary: "Tell who asks, and what that user may do; the name is null for who is not logged in.",
  params: {},
  result: v.object({
    name: v.pipe(v.nullable(v.string()), v.description("who is logged in; null for nobody")),
    groups: counts("bitmask of the groups that the user is in"),
    admin: tells("may back up, restore and change users"),
    engine: tells("is an audio engine"),
    may: v.pipe(v.picklist(MAY), v.description("what the user may do")),
    expires: instant("when the token expires; null for never"),
  }),
  reads: true,
  run: ({ state }, _params, actor) => ({ result: tellUser(state, actor) }),
});
