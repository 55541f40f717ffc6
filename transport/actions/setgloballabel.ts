import { setGlobalLabel } from "../../core/labels/setgloballabel.ts";
import { action } from "../action-api/action.ts";
import { integer, label } from "../action-api/action-parameters.ts";

/** Sets a global label. */
export const setgloballabel = action({
  name: "setgloballabel",
  summary: "Set a global label; an empty Name puts the configured one back.",
  parameters: { ObjectID: integer, Name: label },
  names: { id: "ObjectID" },
  run: (console, { ObjectID, Name }, actor) =>
    console.dispatch(setGlobalLabel(ObjectID, Name), actor),
});
