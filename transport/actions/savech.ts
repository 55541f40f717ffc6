import { saveNumbered } from "../../core/snapshots/numbered.ts";
import { action } from "../action-api/action.ts";
import { integer, optionalSnapshotName, snapshotId } from "../action-api/action-parameters.ts";

/** Saves a fader channel as the snapshot of a number, which is made if absent. */
export const savech = action({
  name: "savech",
  summary: "Save a fader channel as a snapshot.",
  parameters: { ObjectID: integer, SnapshotID: snapshotId(1), Name: optionalSnapshotName },
  deprecated: true,
  names: { sourceid: "ObjectID" },
  run(console, { ObjectID, SnapshotID, Name }, actor) {
    const snapshot = { type: 1, number: SnapshotID } as const;
    return console.dispatch(saveNumbered(snapshot, { sourceid: ObjectID }, Name), actor);
  },
});
