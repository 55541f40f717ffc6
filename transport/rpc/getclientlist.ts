import { adminRefusal } from "../../core/users/admin.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";

/** Lists the open WebSocket connections; ours, for admins. */
export const getclientlist = rpcMethod({
  name: "getclientlist",
  summary: "List the open WebSocket connections, in the order in which they came. For admins.",
  params: {},
  reads: true,
  run: (_console, _params, actor, { clients }) => adminRefusal(actor) ?? { result: clients() },
});
