import * as v from "valibot";
import { adminRefusal } from "../../core/users/admin.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { counts, says } from "../schemas.ts";

/** Lists the open WebSocket connections; ours, for admins. */
export const getclientlist = rpcMethod({
  name: "getclientlist",
  summary: "List the open WebSocket connections, in the order in which they came. For admins.",
  params: {},
  result: v.array(v.object({
    address: says("where it is from"),
    user: v.pipe(v.nullable(v.string()), v.description("who is logged in; null for nobody")),
    since: says("since when it is open, in ISO 8601 and UTC"),
    subscriptions: counts("how many paths it is subscribed to"),
    unread: counts("how many bytes it has left unread"),
    claims: v.pipe(
      v.array(v.string()),
      v.description("the paths that it plays as an engine; none for any other client"),
    ),
  })),
  reads: true,
  run: (_console, _params, actor, { clients }) => adminRefusal(actor) ?? { result: clients() },
});
