import * as v from "valibot";
import { setChannelLabel } from "../../core/labels/setchannellabel.ts";
import { LABEL_LENGTH } from "../../core/limits.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { numberResult, resource, text, textResult } from "../schemas.ts";

/** Labels a fader channel. */
export const setchannellabel = rpcMethod({
  name: "setchannellabel",
  summary: "Label a fader channel; a blank label puts the configured one back.",
  params: {
    sourceid: resource("fader channel ID, unique in the device"),
    label: text(LABEL_LENGTH),
  },
  result: v.object({
    label: textResult("label that is shown now"),
    mixer: numberResult("mixer of the channel"),
    sourceid: numberResult("fader channel ID"),
  }),
  writes: true,
  run: (console, { sourceid, label }, actor) =>
    console.dispatch(setChannelLabel(sourceid, label), actor),
});
