import * as v from "valibot";
import { saveNumbered } from "../../core/snapshots/numbered.ts";
import { action } from "../action-api/action.ts";
import { snapshotId } from "../action-api/action-parameters.ts";
import { integer, snapshotName } from "../schemas.ts";

/** Saves a virtual mixer as the snapshot of a number, which is made if absent. */
export const savemx = action({
  name: "savemx",
  summary: "Save a virtual mixer as a snapshot; SnapshotID 0 is the mixer's default one.",
  parameters: {
    ObjectID: integer("virtual mixer"),
    SnapshotID: snapshotId(0),
    Name: v.optional(snapshotName(0)),
  },
  deprecated: true,
  run(console, { ObjectID, SnapshotID, Name }, actor) {
    const snapshot = { type: 2, number: SnapshotID } as const;
    return console.dispatch(saveNumbered(snapshot, { mixer: ObjectID }, Name), actor);
  },
});
