import * as v from "valibot";
import { adminRefusal } from "../../core/users/admin.ts";
import { listUsers } from "../../core/users/getuserlist.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { textResult, timeResult, userMembers } from "../schemas.ts";

/** Lists the users; ours, for admins. */
export const getuserlist = rpcMethod({
  name: "getuserlist",
  summary: "List the users, in the order in which they were added. For admins.",
  params: {},
  result: v.array(v.object({
    name: textResult("name of the user"),
    ...userMembers,
    created: timeResult("time at which the user was added; null if unknown"),
    lastused: timeResult("time of the last use of the token, to the hour; null if unknown"),
  })),
  reads: true,
  run: ({ state }, _params, actor) => adminRefusal(actor) ?? { result: listUsers(state) },
});
