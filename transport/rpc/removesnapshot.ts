import { removeSnapshot } from "../../core/snapshots/removesnapshot.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { snapshotId } from "../control-api/rpc-parameters.ts";
import { done } from "../control-api/rpc-results.ts";

/** Removes a snapshot. */
export const removesnapshot = rpcMethod({
  name: "removesnapshot",
  summary: "Remove a snapshot.",
  params: { id: snapshotId("UUID of a snapshot") },
  result: done,
  writes: true,
  run: (console, { id }, actor) => console.dispatch(removeSnapshot(id), actor),
});
