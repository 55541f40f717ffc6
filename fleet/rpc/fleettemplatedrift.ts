import * as v from "valibot";
import { templateName } from "../api/drift-schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { consoleIdResult } from "../api/schemas.ts";

/** Lists the consoles that differ from templates, by their digests. */
export const fleettemplatedrift = fleetRpcMethod({
  name: "fleettemplatedrift",
  summary: "List the consoles that differ from templates made from their model, by digests.",
  params: {},
  result: v.pipe(
    v.array(v.object({
      console: consoleIdResult,
      templates: v.pipe(
        v.array(templateName),
        v.readonly(),
        v.description("templates from which it differs, at least one"),
      ),
    })),
    v.readonly(),
  ),
  run: (_core, _params, actor, { drift }) => drift.fromTemplates(actor),
});
