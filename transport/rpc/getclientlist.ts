import * as v from "valibot";
import { adminRefusal } from "../../core/users/admin.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { numberResult, textResult } from "../schemas.ts";

/** Lists the open WebSocket connections; only for admins. An addition to the specification. */
export const getclientlist = rpcMethod({
  name: "getclientlist",
  summary: "List the open WebSocket connections, in the order in which they came. For admins.",
  params: {},
  result: v.array(v.object({
    address: textResult("address of the client"),
    user: v.pipe(v.nullable(v.string()), v.description("name of the user; null without a login")),
    since: textResult("time of opening, in ISO 8601 and UTC"),
    subscriptions: numberResult("number of subscribed paths"),
    unread: numberResult("number of bytes in the buffer of its socket"),
    claims: v.pipe(
      v.array(v.string()),
      v.description("paths that the client has claimed as an engine; empty for other clients"),
    ),
  })),
  reads: true,
  run: (_console, _params, actor, { clients }) => adminRefusal(actor) ?? { result: clients() },
});
