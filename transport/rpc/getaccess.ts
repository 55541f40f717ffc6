import * as v from "valibot";
import { tellAccess } from "../../core/access/access.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { accessResult } from "../schemas.ts";

/** Tells which faders have access, and the connection of every change from then on. */
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
