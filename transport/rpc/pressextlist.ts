import * as v from "valibot";
import { accessRefusal } from "../../core/lists/change.ts";
import { pressList } from "../../core/lists/pressextlist.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { done, list, resource } from "../schemas.ts";

/** Presses or releases a button of an external list; ours, for device views. */
export const pressextlist = rpcMethod({
  name: "pressextlist",
  summary:
    "Press (1) or release (0) a button of an external list. WebSocket only; for device views.",
  precondition: accessRefusal,
  params: {
    list,
    entry: resource("index of the entry, from 0"),
    on: v.picklist([0, 1], "0 or 1"),
  },
  result: done,
  run: (console, params, actor) => console.dispatch(pressList(params), actor),
});
