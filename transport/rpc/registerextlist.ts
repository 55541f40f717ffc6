import { refuse } from "../../core/errors.ts";
import { accessRefusal } from "../../core/lists/change.ts";
import { registerList } from "../../core/lists/registerextlist.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { list, listResult } from "../schemas.ts";

const LOG_IN = refuse("notLoggedIn", "log in with auth to register a list");

/** Subscribes to an external list; refused (4) if the connection may not receive its events. */
export const registerextlist = rpcMethod({
  name: "registerextlist",
  summary: "Subscribe to an external list, which is created if it does not exist. WebSocket only.",
  precondition: accessRefusal,
  params: { list },
  result: listResult,
  run: (console, { list }, actor, { connection }) =>
    connection?.mayHear() === false ? LOG_IN : console.dispatch(registerList(list), actor),
});
