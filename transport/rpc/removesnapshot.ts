import { removeSnapshot } from "../../core/snapshots/removesnapshot.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { done, snapshotId } from "../schemas.ts";

/** Removes a snapshot. */
export const removesnapshot = rpcMethod({
  name: "removesnapshot",
  summary: "Remove a snapshot.",
  params: { id: snapshotId("UUID of a snapshot") },
  result: done,
  writes: true,
  run: (console, { id }, actor) => console.dispatch(removeSnapshot(id), actor),
});
