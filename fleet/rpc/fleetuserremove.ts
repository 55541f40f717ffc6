import { done } from "../../transport/schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { fleetUserName } from "../api/schemas.ts";

/** Removes a user of the fleet. */
export const fleetuserremove = fleetRpcMethod({
  name: "fleetuserremove",
  summary: "Remove a user of the fleet, whose connections are closed. For admins.",
  params: { name: fleetUserName },
  result: done,
  run: async (core, { name }, actor) => await core.removeUser(name, actor) ?? {},
});
