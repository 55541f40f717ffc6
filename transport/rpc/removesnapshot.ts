import { removeSnapshot } from "../../core/snapshots/removesnapshot.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { snapshotId } from "../control-api/rpc-parameters.ts";

/** Removes a snapshot. */
export const removesnapshot = rpcMethod({
  name: "removesnapshot",
  summary: "Remove a snapshot.",
  params: { id: snapshotId("UUID of a snapshot") },
  writes: true,
  run: (console, { id }, actor) => console.dispatch(removeSnapshot(id), actor),
});
