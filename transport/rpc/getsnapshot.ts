import * as v from "valibot";
import { isRefusal } from "../../core/errors.ts";
import { getSnapshot } from "../../core/snapshots/getsnapshot.ts";
import type { SnapshotData } from "../../core/snapshots/snapshotdata.ts";
import { isBranch } from "../../core/tree/tree.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { mixer, snapshotId } from "../schemas.ts";

/** Returns a snapshot. */
export const getsnapshot = rpcMethod({
  name: "getsnapshot",
  summary: "Fetch a snapshot as snapshotdata, to be given back unchanged to setsnapshot.",
  params: { id: snapshotId('UUID of a snapshot, or "default"'), mixer },
  result: v.object({
    snapshotdata: v.pipe(
      v.custom<SnapshotData>(isBranch),
      v.metadata({ type: "object", description: "the snapshot, to be given back unchanged" }),
    ),
  }),
  reads: true,
  answersMuch: true,
  async run({ state }, params, actor, { scheduler }) {
    const result = await scheduler.withMutex(
      actor.address,
      () => getSnapshot(state, params, actor),
    );
    return isRefusal(result) ? result : { result };
  },
});
