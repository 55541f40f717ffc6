import * as v from "valibot";
import { booleanResult } from "../../transport/schemas.ts";
import { comparedWith, section } from "../api/drift-schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { consoleIdResult } from "../api/schemas.ts";

/** Compares all consoles with a template or with one of them, by their digests. */
export const fleetdrift = fleetRpcMethod({
  name: "fleetdrift",
  summary: "Compare each console with a template or a console by digests; no console is read.",
  params: { with: comparedWith },
  result: v.pipe(
    v.array(v.object({
      console: consoleIdResult,
      differs: v.pipe(v.array(section), v.readonly(), v.description("sections that differ")),
      unknown: v.pipe(
        v.array(section),
        v.readonly(),
        v.description("sections of which at least one side has no digest"),
      ),
      foreign: booleanResult("whether it is another model: it has other mixers or faders"),
    })),
    v.readonly(),
  ),
  run: (_core, { with: other }, actor, { drift }) => drift.digests(other, actor),
});
