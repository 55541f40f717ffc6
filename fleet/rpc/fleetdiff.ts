import * as v from "valibot";
import { booleanResult, numberResult, textResult } from "../../transport/schemas.ts";
import { json } from "../api/batch-schemas.ts";
import { comparedWith, section } from "../api/drift-schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { consoleId } from "../api/schemas.ts";

/** Compares a console with a template or with another console. */
export const fleetdiff = fleetRpcMethod({
  name: "fleetdiff",
  summary:
    "Compare a console with a template or another console, and list what would make it equal; it changes nothing.",
  params: {
    console: consoleId,
    with: comparedWith,
    section: v.optional(section),
  },
  result: v.object({
    same: booleanResult("whether nothing differs"),
    sections: v.pipe(
      v.array(v.object({
        section,
        same: booleanResult("whether nothing differs in it"),
        differences: v.pipe(
          v.array(v.object({
            path: textResult("path of a value, as a JSON pointer"),
            here: v.exactOptional(json),
            there: v.exactOptional(json),
          })),
          v.readonly(),
        ),
        more: numberResult("number of further differences"),
        refused: v.exactOptional(textResult("why it could not be read")),
      })),
      v.readonly(),
    ),
    sets: v.pipe(
      v.array(v.object({ method: v.literal("set"), path: textResult("path"), payload: json })),
      v.readonly(),
      v.description("what makes listed values of the control tree equal, each for fleetdo"),
    ),
  }),
  run: (_core, { console, with: other, section }, actor, { drift }) =>
    drift.compare(console, other, section, actor),
});
