import * as v from "valibot";
import { isRefusal } from "../../core/errors.ts";
import { batchId, batchMembers } from "../api/batch-schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { batchElsewhere } from "../api/batches-elsewhere.ts";
import { reportOf } from "../api/batch-report.ts";

/** Does a batch again where it has failed. */
export const fleetagain = fleetRpcMethod({
  name: "fleetagain",
  summary: "Do a batch again, as a new one, where it was refused, has expired or is unknown.",
  params: { batch: batchId, id: v.optional(batchId) },
  result: v.object(batchMembers),
  async run(core, { batch, id }, actor, { batches }) {
    const isHere = !isRefusal(batches.find(batch, actor));
    const elsewhere = isHere ? undefined : await batchElsewhere(core, batch, actor);
    if (elsewhere !== undefined) return elsewhere;
    const again = await batches.again(batch, actor, id);
    return isRefusal(again) ? again : reportOf(again);
  },
});
