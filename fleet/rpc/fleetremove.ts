import { done } from "../../transport/schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { consoleId } from "../api/schemas.ts";

/** Removes a console from the fleet. */
export const fleetremove = fleetRpcMethod({
  name: "fleetremove",
  summary: "Remove a console from the fleet, and close its connections. For admins.",
  params: { id: consoleId },
  result: done,
  run: async (core, { id }, actor) => await core.remove(id, actor) ?? {},
});
