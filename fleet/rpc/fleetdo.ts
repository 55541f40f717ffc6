import * as v from "valibot";
import { isRefusal } from "../../core/errors.ts";
import { flag, integer, numberResult, textResult } from "../../transport/schemas.ts";
import {
  batchId,
  batchMembers,
  batchRequest,
  json,
  required,
  selection,
} from "../api/batch-schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { consoleIdResult } from "../api/schemas.ts";
import { EXPIRY_MS } from "../hub/hub-limits.ts";
import { reportOf } from "../api/batch-report.ts";

/** Has many consoles carry out one request. */
export const fleetdo = fleetRpcMethod({
  name: "fleetdo",
  summary: "Have many consoles carry out one request, or see what it would do there.",
  params: {
    select: selection,
    request: batchRequest,
    id: v.optional(batchId),
    kind: v.optional(
      v.pipe(
        v.picklist(["live", "kept"], "live or kept"),
        v.description("kept waits for consoles that are away; live is for consoles that are there"),
      ),
      "live",
    ),
    expires: v.optional(integer(
      "time in ms after which a console does not begin it: " +
        `live ${EXPIRY_MS.live.default}, kept ${EXPIRY_MS.kept.default} without it`,
      { min: 1 },
    )),
    at: v.optional(integer("when all begin, in ms since 1970 by the clock of the hub", { min: 1 })),
    together: v.optional(flag("has all begin at one instant, which the hub chooses"), false),
    require: v.optional(required),
    force: v.optional(flag("touches consoles that are on air, too"), false),
    preview: v.optional(flag("does nothing, and says what it would do at each console"), false),
  },
  result: v.union([
    v.object(batchMembers),
    v.object({
      preview: v.array(v.object({
        console: consoleIdResult,
        name: textResult("name of the console"),
        site: textResult("site that it is at"),
        changes: v.array(v.object({
          path: textResult("path of a value that would change"),
          before: json,
          after: json,
        })),
        more: numberResult("number of further values that would change"),
        refused: v.exactOptional(textResult("why it would be refused")),
        noPreview: v.exactOptional(
          textResult("why there is no preview, although it may be carried out there"),
        ),
      })),
    }),
  ]),
  async run(_core, { id, preview, ...order }, actor, { batches }) {
    if (preview) {
      const previews = await batches.preview(order, actor);
      return isRefusal(previews) ? previews : { preview: previews };
    }
    const batch = await batches.run(order, actor, id);
    return isRefusal(batch) ? batch : reportOf(batch);
  },
});
