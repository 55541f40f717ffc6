import * as v from "valibot";
import { tellAccess } from "../../core/access/access.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { accessResult } from "../schemas.ts";

/** Tells which faders have access; from then on the connection is told of every change. */
export const getaccess = rpcMethod({
  name: "getaccess",
  summary:
    "Get the faders that have access, by mixer and access group. A WebSocket is told of changes from then on, by the event getaccess.",
  params: {},
  result: v.object(accessResult),
  reads: true,
  run({ state }, _params, _actor, { connection }) {
    connection?.followAccess();
    return { result: tellAccess(state) };
  },
});
