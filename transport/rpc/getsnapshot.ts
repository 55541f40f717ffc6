/**
 * The RPC `getsnapshot` (service.md, "RPC methods").
 *
 * @module
 */
import * as v from "valibot";
import { isRefusal } from "../../core/errors.ts";
import { getSnapshot } from "../../core/snapshots/get.ts";
import { rpcMethod } from "./method.ts";
import { mixer, snapshotId } from "./parameters.ts";

/** Hands a snapshot out. */
export const getsnapshot = rpcMethod({
  name: "getsnapshot",
  summary: "Fetch a snapshot as snapshotdata, to be given back unchanged to setsnapshot.",
  params: v.object({ id: snapshotId, mixer }),
  writes: false,
  run({ state }, params, actor) {
    const result = getSnapshot(state, params, actor);
    return isRefusal(result) ? result : { result };
  },
});
