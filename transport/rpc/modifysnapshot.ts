import * as v from "valibot";
import { SNAPSHOT_NAME_LENGTH } from "../../core/limits.ts";
import { modifySnapshot } from "../../core/snapshots/modifysnapshot.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { done, readgroups, snapshotId, snapshotName, writegroups } from "../schemas.ts";

/** Changes the attributes of a snapshot. */
export const modifysnapshot = rpcMethod({
  name: "modifysnapshot",
  summary: "Change the name or the groups of a snapshot, not its content.",
  params: {
    id: snapshotId("UUID of a snapshot"),
    name: v.optional(snapshotName(SNAPSHOT_NAME_LENGTH.min)),
    writegroups: v.optional(writegroups),
    readgroups: v.optional(readgroups),
  },
  result: done,
  writes: true,
  run: (console, params, actor) => console.dispatch(modifySnapshot(params), actor),
});
