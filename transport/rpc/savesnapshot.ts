/**
 * The RPC `savesnapshot` (service.md, "RPC methods").
 *
 * @module
 */
import * as v from "valibot";
import { saveSnapshot } from "../../core/snapshots/save.ts";
import { rpcMethod } from "./method.ts";
import {
  mixer,
  readgroups,
  resource,
  snapshotId,
  snapshotName,
  snapshotType,
  writegroups,
} from "./parameters.ts";

/** Saves a fader, a mixer or a flex processing as a snapshot. */
export const savesnapshot = rpcMethod({
  name: "savesnapshot",
  summary: "Save a snapshot: a blank id makes one, a UUID overwrites that one.",
  params: v.object({
    type: snapshotType,
    mixer,
    fader: v.optional(resource("fader in its mixer; for channel snapshots")),
    fp: v.optional(resource("flex processing; for processing snapshots")),
    id: snapshotId,
    name: v.optional(snapshotName(0)),
    writegroups,
    readgroups: v.optional(readgroups, 0),
  }),
  writes: true,
  rename: ({ writegroup, usergroups, ...params }) =>
    params.writegroups === undefined
      ? { ...params, writegroups: writegroup === undefined ? usergroups : writegroup }
      : params,
  echo: (params) => params.readgroups === undefined ? { ...params, readgroups: 0 } : params,
  run: (console, params, actor) => console.dispatch(saveSnapshot(params), actor),
});
