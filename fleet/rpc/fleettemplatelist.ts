import * as v from "valibot";
import { listedTemplate } from "../api/drift-schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";

/** Lists the templates. */
export const fleettemplatelist = fleetRpcMethod({
  name: "fleettemplatelist",
  summary: "List the templates by which consoles are compared.",
  params: {},
  result: v.pipe(v.array(listedTemplate), v.readonly()),
  run: (_core, _params, actor, { drift }) => drift.list(actor),
});
