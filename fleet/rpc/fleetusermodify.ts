import * as v from "valibot";
import { done } from "../../transport/schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { fleetMay, fleetRights, fleetUserName } from "../api/schemas.ts";

/** Gives a user of the fleet other rights. */
export const fleetusermodify = fleetRpcMethod({
  name: "fleetusermodify",
  summary:
    "Give a user of the fleet other rights in place of all before; the token stays. For admins.",
  params: {
    name: fleetUserName,
    may: v.optional(v.pipe(
      fleetMay,
      v.description("right on each console that `rights` does not name; without it none"),
    )),
    rights: v.optional(fleetRights, []),
  },
  result: done,
  run: async (core, params, actor) => await core.modifyUser(params, actor) ?? {},
});
