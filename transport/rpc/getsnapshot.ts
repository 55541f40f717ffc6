import { isRefusal } from "../../core/errors.ts";
import { getSnapshot } from "../../core/snapshots/getsnapshot.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { mixer, snapshotId } from "../control-api/rpc-parameters.ts";

/** Hands a snapshot out. */
export const getsnapshot = rpcMethod({
  name: "getsnapshot",
  summary: "Fetch a snapshot as snapshotdata, to be given back unchanged to setsnapshot.",
  params: { id: snapshotId('UUID of a snapshot, or "default"'), mixer },
  reads: true,
  answersMuch: true,
  async run({ state }, params, actor, { pacer }) {
    const result = await pacer.alone(actor.address, () => getSnapshot(state, params, actor, pacer));
    return isRefusal(result) ? result : { result };
  },
});
