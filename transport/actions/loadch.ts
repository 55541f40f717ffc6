import { loadNumbered } from "../../core/snapshots/numbered.ts";
import { snapshotId } from "../action-api/action-parameters.ts";
import { action } from "../action-api/action.ts";
import { integer } from "../schemas.ts";

/** Loads a channel snapshot to a fader channel. */
export const loadch = action({
  name: "loadch",
  summary: "Load a channel snapshot to a fader channel.",
  parameters: { ObjectID: integer("fader channel ID"), SnapshotID: snapshotId(1) },
  deprecated: true,
  run: (console, { ObjectID, SnapshotID }, actor) =>
    console.dispatch(loadNumbered({ type: 1, number: SnapshotID }, { sourceid: ObjectID }), actor),
});
