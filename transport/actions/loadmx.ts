import { loadNumbered } from "../../core/snapshots/numbered.ts";
import { snapshotId } from "../action-api/action-parameters.ts";
import { action } from "../action-api/action.ts";
import { integer } from "../schemas.ts";

/** Loads a mixer snapshot to a virtual mixer. */
export const loadmx = action({
  name: "loadmx",
  summary: "Load a mixer snapshot; SnapshotID 0 is the mixer's default one.",
  parameters: { ObjectID: integer("virtual mixer"), SnapshotID: snapshotId(0) },
  deprecated: true,
  run: (console, { ObjectID, SnapshotID }, actor) =>
    console.dispatch(loadNumbered({ type: 2, number: SnapshotID }, { mixer: ObjectID }), actor),
});
