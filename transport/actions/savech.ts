import * as v from "valibot";
import { saveNumbered } from "../../core/snapshots/numbered.ts";
import { action } from "../action-api/action.ts";
import { snapshotId } from "../action-api/action-parameters.ts";
import { integer, snapshotName } from "../schemas.ts";

/** Saves a fader channel as the snapshot of a number, which is made if absent. */
export const savech = action({
  name: "savech",
  summary: "Save a fader channel as a snapshot.",
  parameters: {
    ObjectID: integer("fader channel ID"),
    SnapshotID: snapshotId(1),
    Name: v.optional(snapshotName(0)),
  },
  deprecated: true,
  run(console, { ObjectID, SnapshotID, Name }, actor) {
    const snapshot = { type: 1, number: SnapshotID } as const;
    return console.dispatch(saveNumbered(snapshot, { sourceid: ObjectID }, Name), actor);
  },
});
