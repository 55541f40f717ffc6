import * as v from "valibot";
import { newToken } from "../../transport/schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { fleetMay, fleetRights, fleetUserName } from "../api/schemas.ts";

/** Adds a user of the fleet. */
export const fleetuseradd = fleetRpcMethod({
  name: "fleetuseradd",
  summary: "Add a user of the fleet; the token in the result is not shown again. For admins.",
  params: {
    name: fleetUserName,
    may: v.optional(v.pipe(
      fleetMay,
      v.description(
        "right on each console that `rights` does not name; without both operate, without it alone " +
          "none: the user does not see those",
      ),
    )),
    rights: v.optional(fleetRights, []),
  },
  result: v.object({ token: newToken }),
  run: (core, { name, rights, may = rights.length === 0 ? "operate" : undefined }, actor) =>
    core.addUser({ name, may, rights }, actor),
});
