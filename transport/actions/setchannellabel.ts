import { isRefusal } from "../../core/errors.ts";
import { setChannelLabel } from "../../core/labels/setchannellabel.ts";
import { LABEL_LENGTH } from "../../core/limits.ts";
import { action } from "../action-api/action.ts";
import { integer, text } from "../schemas.ts";

/** Sets the label of a fader channel. */
export const setchannellabel = action({
  name: "setchannellabel",
  summary: "Set the label of a fader channel; an empty Name puts the configured one back.",
  parameters: { ObjectID: integer("fader channel ID"), Name: text(LABEL_LENGTH) },
  async run(console, { ObjectID, Name }, actor) {
    const outcome = await console.dispatch(setChannelLabel(ObjectID, Name), actor);
    return isRefusal(outcome) ? outcome : { ...outcome, result: {} };
  },
});
