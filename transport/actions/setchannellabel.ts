import { isRefusal } from "../../core/errors.ts";
import { setChannelLabel } from "../../core/labels/setchannellabel.ts";
import { action } from "../action-api/action.ts";
import { integer, label } from "../action-api/action-parameters.ts";

/** Sets the label of a fader channel. */
export const setchannellabel = action({
  name: "setchannellabel",
  summary: "Set the label of a fader channel; an empty Name puts the configured one back.",
  parameters: { ObjectID: integer, Name: label },
  names: { sourceid: "ObjectID" },
  async run(console, { ObjectID, Name }, actor) {
    const outcome = await console.dispatch(setChannelLabel(ObjectID, Name), actor);
    return isRefusal(outcome) ? outcome : { ...outcome, result: {} };
  },
});
