import * as v from "valibot";
import { isRefusal } from "../../core/errors.ts";
import { numberResult, textResult } from "../../transport/schemas.ts";
import { batchId, batchMembers, json } from "../api/batch-schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { consoleIdResult } from "../api/schemas.ts";
import { batchElsewhere } from "../api/batches-elsewhere.ts";
import { reportOf } from "../api/batch-report.ts";
import { OUTCOMES } from "../commands/command.ts";

/** Returns a batch with its results. */
export const fleetbatch = fleetRpcMethod({
  name: "fleetbatch",
  summary: "Get what has become of a batch at each of its consoles.",
  params: { batch: batchId },
  result: v.object({
    ...batchMembers,
    results: v.array(v.object({
      console: consoleIdResult,
      name: textResult("name of the console"),
      site: textResult("site that it is at"),
      outcome: v.picklist(OUTCOMES),
      time: textResult("when it became so, in ISO 8601 and UTC"),
      why: v.exactOptional(textResult("why it was refused, has expired or is unknown")),
      code: v.exactOptional(numberResult("error code of the console")),
      result: v.exactOptional(json),
    })),
  }),
  async run(core, { batch }, actor, { batches }) {
    const found = batches.find(batch, actor);
    if (isRefusal(found)) return await batchElsewhere(core, batch, actor) ?? found;
    const results = Array.from(found.results.values(), ({ id, time, ...result }) => ({
      console: id,
      ...result,
      time: new Date(time).toISOString(),
    }));
    return { ...reportOf(found), results };
  },
});
