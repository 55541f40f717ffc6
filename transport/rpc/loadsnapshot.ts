/**
 * The RPC `loadsnapshot` (service.md, "RPC methods").
 *
 * @module
 */
import * as v from "valibot";
import { loadSnapshot } from "../../core/snapshots/load.ts";
import { rpcMethod } from "./method.ts";
import { mixer, resource, snapshotId, snapshotType } from "./parameters.ts";

/** Loads a snapshot to where it is asked for. */
export const loadsnapshot = rpcMethod({
  name: "loadsnapshot",
  summary: "Load a snapshot to a mixer, a fader or a flex processing.",
  params: v.object({
    id: snapshotId,
    type: v.optional(snapshotType),
    mixer,
    fader: v.optional(resource("fader in its mixer; for channel snapshots")),
    fp: v.optional(resource("flex processing; for processing snapshots")),
  }),
  writes: true,
  run: (console, params, actor) => console.dispatch(loadSnapshot(params), actor),
});
