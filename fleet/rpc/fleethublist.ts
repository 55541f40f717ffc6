import * as v from "valibot";
import { isRefusal } from "../../core/errors.ts";
import { booleanResult, textResult } from "../../transport/schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";

/** Lists the hubs of the organisation. */
export const fleethublist = fleetRpcMethod({
  name: "fleethublist",
  summary: "List the hubs that this hub hears, itself first. For admins.",
  params: {},
  result: v.array(v.object({
    id: textResult("id of the hub, random at each of its starts"),
    here: booleanResult("whether it is the hub that answers"),
    consoles: v.pipe(v.number(), v.description("number of consoles that have dialled it")),
    name: v.exactOptional(
      textResult("name of the hub; a hub of an earlier version has no member from here on"),
    ),
    version: v.exactOptional(textResult("version of faderd")),
    since: v.exactOptional(textResult("when it started, in ISO 8601 and UTC, by its own clock")),
    stores: v.exactOptional(booleanResult("whether its ledger stored its last change")),
  })),
  run(core, _params, actor) {
    const hubs = core.hubs(actor);
    return isRefusal(hubs) ? hubs : [...hubs];
  },
});
