import * as v from "valibot";
import { booleanResult, textResult } from "../../transport/schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { consoleIdResult } from "../api/schemas.ts";
import { CONSOLE_STATES } from "../hub/hub-core.ts";
import { FLEET_MAY } from "../wire.ts";

/** Lists the consoles. */
export const fleetlist = fleetRpcMethod({
  name: "fleetlist",
  summary: "List the consoles of the fleet that the caller sees, by site and name.",
  params: {},
  result: v.array(v.object({
    id: consoleIdResult,
    name: textResult("name of the console"),
    site: textResult("site that it is at; empty where it says none"),
    state: v.pipe(v.picklist(CONSOLE_STATES), v.description("how the hub reaches it")),
    since: textResult("when that state began, in ISO 8601 and UTC"),
    heard: booleanResult(
      "false where this hub did not hear it yet, and waits for it since `since`",
    ),
    version: textResult("version of faderd"),
    may: v.pipe(v.picklist(FLEET_MAY), v.description("what the fleet may do there at most")),
    alarms: v.pipe(v.array(v.string()), v.description("what is wrong, in sentences")),
  })),
  run(core, _params, { user }) {
    const seen = [...core.consoles().values()].filter(({ id }) => core.mayAt(user, id));
    const listed = seen.map(({ id, state, since, isAwaited, summary }) => {
      const { name, site, version, may, alarms } = summary;
      const instant = new Date(since).toISOString();
      const heard = isAwaited !== true;
      return { id, name, site, state, since: instant, heard, version, may, alarms: [...alarms] };
    });
    return listed.sort((one, other) =>
      one.site.localeCompare(other.site) || one.name.localeCompare(other.name) ||
      (one.id < other.id ? -1 : 1)
    );
  },
});
