import * as v from "valibot";
import { isRefusal } from "../../core/errors.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { booleanResult, mixer, numberResult, snapshotType, textResult } from "../schemas.ts";

/** Lists the snapshots of a type. */
export const getsnapshotlist = rpcMethod({
  name: "getsnapshotlist",
  summary: "List the channel (1), mixer (2) or processing (3) snapshots.",
  params: { type: snapshotType, mixer },
  result: v.array(v.object({
    factory: booleanResult("predefined: it cannot be changed"),
    id: textResult('its UUID, or "default"'),
    name: textResult("display name"),
    readgroups: numberResult("bitmask of the user groups that may load it; 0 is everyone"),
    writegroups: numberResult("bitmask of the user groups that may load and modify it"),
  })),
  reads: true,
  run(console, { type, mixer }) {
    const list = console.snapshotList(type, mixer);
    return isRefusal(list) ? list : { result: list };
  },
});
