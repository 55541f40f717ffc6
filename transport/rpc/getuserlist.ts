import * as v from "valibot";
import { adminRefusal } from "../../core/users/admin.ts";
import { listUsers } from "../../core/users/getuserlist.ts";
import { MAY } from "../../core/users/user.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { counts, instant, says, tells } from "../control-api/rpc-results.ts";

/** Lists the users; ours, for admins. */
export const getuserlist = rpcMethod({
  name: "getuserlist",
  summary: "List the users, in the order in which they were added. For admins.",
  params: {},
  result: v.array(v.object({
    name: says("what the user is called"),
    groups: counts("bitmask of the groups that the user is in"),
    admin: tells("may back up, restore and change users"),
    engine: tells("is an audio engine"),
    may: v.pipe(v.picklist(MAY), v.description("what the user may do")),
    created: instant("when the user was added; null where that was not kept"),
    expires: instant("when the token expires; null for never"),
    lastused: instant("when the token was last used, to the hour; null where nobody knows"),
  })),
  reads: true,
  run: ({ state }, _params, actor) => adminRefusal(actor) ?? { result: listUsers(state) },
});
