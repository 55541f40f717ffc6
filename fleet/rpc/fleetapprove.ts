import { done } from "../../transport/schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { consoleId } from "../api/schemas.ts";

/** Takes a console out of quarantine. */
export const fleetapprove = fleetRpcMethod({
  name: "fleetapprove",
  summary: "Approve a console that was enrolled; until then nobody reaches it. For admins.",
  params: { id: consoleId },
  result: done,
  run: async (core, { id }, actor) => await core.approve(id, actor) ?? {},
});
