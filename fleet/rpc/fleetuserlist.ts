import * as v from "valibot";
import { isRefusal } from "../../core/errors.ts";
import { textResult } from "../../transport/schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { fleetMay, fleetRights } from "../api/schemas.ts";

/** Lists the users of the fleet. */
export const fleetuserlist = fleetRpcMethod({
  name: "fleetuserlist",
  summary: "List the users of the fleet. For admins.",
  params: {},
  result: v.array(v.object({
    name: textResult("name of the user"),
    may: v.pipe(
      v.nullable(fleetMay),
      v.description("right on each console that `rights` does not name; null for none"),
    ),
    rights: fleetRights,
    created: textResult("when the user was added, in ISO 8601 and UTC"),
  })),
  run(core, _params, actor) {
    const users = core.users(actor);
    return isRefusal(users) ? users : users.map(({ name, may = null, rights = [], created }) => ({
      name,
      may,
      rights: [...rights],
      created,
    }));
  },
});
