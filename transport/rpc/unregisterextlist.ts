import { accessRefusal } from "../../core/lists/change.ts";
import { unregisterList } from "../../core/lists/registerextlist.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { list, listResult } from "../schemas.ts";

/** Unsubscribes from an external list. */
export const unregisterextlist = rpcMethod({
  name: "unregisterextlist",
  summary:
    "Unsubscribe from an external list, which is deleted with its last subscriber. WebSocket only.",
  precondition: accessRefusal,
  params: { list },
  result: listResult,
  run: (console, { list }, actor) => console.dispatch(unregisterList(list), actor),
});
