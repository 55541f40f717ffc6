import * as v from "valibot";
import { saveSnapshot } from "../../core/snapshots/savesnapshot.ts";
import { DEFAULT_ID } from "../../core/snapshots/snapshot.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import {
  done,
  mixer,
  needsTarget,
  readgroups,
  resource,
  snapshotId,
  snapshotName,
  snapshotType,
  writegroups,
} from "../schemas.ts";

/** Saves a fader, a mixer or a flex processing as a snapshot. */
export const savesnapshot = rpcMethod({
  name: "savesnapshot",
  summary: "Save a snapshot: a blank id makes a new one, a UUID overwrites the one that has it.",
  params: {
    type: snapshotType,
    mixer,
    fader: v.optional(resource("fader in its mixer; a channel snapshot needs it")),
    fp: v.optional(resource("flex processing; a processing snapshot needs it")),
    id: snapshotId(
      'UUID of a snapshot to overwrite, blank to make one, "default", or "named" for the one of ' +
        "that name, which is made where there is none",
    ),
    name: v.optional(snapshotName(0)),
    writegroups,
    readgroups: v.optional(readgroups, 0),
  },
  result: done,
  metadata: needsTarget,
  writes: true,
  aliases: { parameter: "writegroups", names: ["writegroup", "usergroups"] },
  // The default snapshot has a name and groups of its own: those of a call are ignored.
  effective: (params) =>
    params.id === DEFAULT_ID ? { ...params, name: "", writegroups: 1, readgroups: 0 } : params,
  echo: (params) => params.readgroups === undefined ? { ...params, readgroups: 0 } : params,
  run: (console, params, actor) => console.dispatch(saveSnapshot(params), actor),
});
