import { done } from "../../transport/schemas.ts";
import { templateName } from "../api/drift-schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";

/** Removes a template. */
export const fleettemplateremove = fleetRpcMethod({
  name: "fleettemplateremove",
  summary: "Remove a template. For users who may configure all consoles.",
  params: { name: templateName },
  result: done,
  run: async (_core, { name }, actor, { drift }) => await drift.remove(name, actor) ?? {},
});
