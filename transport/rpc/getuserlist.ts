import * as v from "valibot";
import { adminRefusal } from "../../core/users/admin.ts";
import { listUsers } from "../../core/users/getuserlist.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { instant, says, userMembers } from "../schemas.ts";

/** Lists the users; ours, for admins. */
export const getuserlist = rpcMethod({
  name: "getuserlist",
  summary: "List the users, in the order in which they were added. For admins.",
  params: {},
  result: v.array(v.object({
    name: says("what the user is called"),
    ...userMembers,
    created: instant("when the user was added; null where that was not kept"),
    lastused: instant("when the token was last used, to the hour; null where nobody knows"),
  })),
  reads: true,
  run: ({ state }, _params, actor) => adminRefusal(actor) ?? { result: listUsers(state) },
});
