import * as v from "valibot";
import { setChannelLabel } from "../../core/labels/setchannellabel.ts";
import { LABEL_LENGTH } from "../../core/limits.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { counts, resource, says, text } from "../schemas.ts";

/** Labels a fader channel. */
export const setchannellabel = rpcMethod({
  name: "setchannellabel",
  summary: "Label a fader channel; a blank label puts the configured one back.",
  params: {
    sourceid: resource("fader channel ID, unique in the device"),
    label: text(LABEL_LENGTH),
  },
  result: v.object({
    label: says("the label that is shown now"),
    mixer: counts("the mixer that has the channel"),
    sourceid: counts("the fader channel"),
  }),
  writes: true,
  run: (console, { sourceid, label }, actor) =>
    console.dispatch(setChannelLabel(sourceid, label), actor),
});
