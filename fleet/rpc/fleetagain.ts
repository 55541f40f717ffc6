import * as v from "valibot";
import { isRefusal } from "../../core/errors.ts";
import { batchId, batchMembers } from "../api/batch-schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { reportOf } from "../api/batch-report.ts";

/** Does a batch again where it has failed. */
export const fleetagain = fleetRpcMethod({
  name: "fleetagain",
  summary: "Do a batch again, as a new one, where it was refused, has expired or is unknown.",
  params: { batch: batchId, id: v.optional(batchId) },
  result: v.object(batchMembers),
  async run(_core, { batch, id }, actor, { batches }) {
    const again = await batches.again(batch, actor, id);
    return isRefusal(again) ? again : reportOf(again);
  },
});
