/**
 * The RPC `setsnapshot` (service.md, "RPC methods").
 *
 * @module
 */
import * as v from "valibot";
import { setSnapshot } from "../../core/snapshots/set.ts";
import { isBranch } from "../../core/tree/patch.ts";
import { rpcMethod } from "./method.ts";
import { mixer } from "./parameters.ts";

/** Takes a snapshot in. */
export const setsnapshot = rpcMethod({
  name: "setsnapshot",
  summary: "Add a snapshot as got from getsnapshot, or replace the one with its UUID.",
  params: v.object({ snapshotdata: v.custom<object>(isBranch, "an object"), mixer }),
  writes: true,
  run: (console, { snapshotdata, mixer }, actor) =>
    console.dispatch(setSnapshot(snapshotdata, mixer), actor),
});
