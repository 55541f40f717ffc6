import * as v from "valibot";
import { ALL_GROUPS } from "../../core/users/groups.ts";
import { userMembers } from "../../transport/schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { fleetRights } from "../api/schemas.ts";
import { highestRight } from "../hub/rights.ts";

/**
 * Returns the user of the caller, as a console does, for pages that show the rights. `may` is the
 * highest right on any console; the hub refuses requests to a console where the user has less.
 */
export const getuser = fleetRpcMethod({
  name: "getuser",
  summary:
    "Get the user of the caller, the highest right on any console, and those for sites and consoles.",
  params: {},
  result: v.object({
    name: v.pipe(v.nullable(v.string()), v.description("name of the user; null without a login")),
    ...userMembers,
    rights: fleetRights,
  }),
  run(_core, _params, { user }) {
    const may = user === undefined ? "view" : highestRight(user);
    return {
      name: user?.name ?? null,
      groups: user === undefined ? 0 : ALL_GROUPS,
      admin: user?.may === "admin",
      engine: false,
      may: may === "admin" ? "configure" as const : may,
      expires: null as string | null,
      rights: [...user?.rights ?? []],
    };
  },
});
