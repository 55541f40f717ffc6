import { adminRefusal } from "../../core/users/admin.ts";
import { listUsers } from "../../core/users/getuserlist.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";

/** Lists the users; ours, for admins. */
export const getuserlist = rpcMethod({
  name: "getuserlist",
  summary: "List the users, in the order in which they were added. For admins.",
  params: {},
  reads: true,
  run: ({ state }, _params, actor) => adminRefusal(actor) ?? { result: listUsers(state) },
});
