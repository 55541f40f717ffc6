import { isRefusal } from "../../core/errors.ts";
import { listSnapshots } from "../../core/snapshots/getsnapshotlist.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { mixer, snapshotType } from "../control-api/rpc-parameters.ts";

/** Lists the snapshots of a type. */
export const getsnapshotlist = rpcMethod({
  name: "getsnapshotlist",
  summary: "List the channel (1), mixer (2) or processing (3) snapshots.",
  params: { type: snapshotType, mixer },
  reads: true,
  run({ state }, { type, mixer }) {
    const entries = listSnapshots(state, type, mixer);
    return isRefusal(entries) ? entries : { result: entries };
  },
});
