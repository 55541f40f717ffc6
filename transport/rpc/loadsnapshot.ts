import * as v from "valibot";
import { loadSnapshot } from "../../core/snapshots/loadsnapshot.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import {
  done,
  mixer,
  needsTarget,
  resource,
  snapshotId,
  snapshotName,
  snapshotType,
} from "../schemas.ts";

/** Loads a snapshot to the requested target. */
export const loadsnapshot = rpcMethod({
  name: "loadsnapshot",
  summary: "Load a snapshot to a mixer, a fader or a flex processing.",
  params: {
    id: snapshotId('UUID of a snapshot, "default", or "named" for the one of that name'),
    type: v.optional(snapshotType),
    mixer,
    fader: v.optional(resource("fader in its mixer; a channel snapshot needs it")),
    fp: v.optional(resource("flex processing; a processing snapshot needs it")),
    name: v.optional(snapshotName(0)),
  },
  result: done,
  metadata: needsTarget,
  writes: true,
  run: (console, params, actor) => console.dispatch(loadSnapshot(params), actor),
});
