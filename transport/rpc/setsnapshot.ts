import * as v from "valibot";
import { isRefusal } from "../../core/errors.ts";
import { setSnapshot, verifySnapshot } from "../../core/snapshots/setsnapshot.ts";
import { isBranch } from "../../core/tree/tree.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { done, mixer } from "../schemas.ts";

/** Stores a snapshot that the caller sends. */
export const setsnapshot = rpcMethod({
  name: "setsnapshot",
  summary: "Add a snapshot as got from getsnapshot, or replace the one with its UUID.",
  params: {
    snapshotdata: v.pipe(v.custom<object>(isBranch, "an object"), v.metadata({ type: "object" })),
    mixer,
  },
  result: done,
  // The answer echoes the snapshot.
  answersMuch: true,
  // Not marked as `writes`, so it does not overlap with others: later requests have to be decided
  // after it.
  async run(console, { snapshotdata, mixer }, actor, { scheduler }) {
    const given = await scheduler.withMutex(
      actor.address,
      () => verifySnapshot(console.state, snapshotdata, scheduler),
    );
    if (isRefusal(given)) return given;
    return console.dispatch(setSnapshot(given, mixer), actor);
  },
});
