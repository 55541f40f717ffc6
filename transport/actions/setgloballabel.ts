import { setGlobalLabel } from "../../core/labels/setgloballabel.ts";
import { LABEL_LENGTH } from "../../core/limits.ts";
import { action } from "../action-api/action.ts";
import { integer, text } from "../schemas.ts";

/** Sets a global label. */
export const setgloballabel = action({
  name: "setgloballabel",
  summary: "Set a global label; an empty Name puts the configured one back.",
  parameters: { ObjectID: integer("global label"), Name: text(LABEL_LENGTH) },
  run: (console, { ObjectID, Name }, actor) =>
    console.dispatch(setGlobalLabel(ObjectID, Name), actor),
});
