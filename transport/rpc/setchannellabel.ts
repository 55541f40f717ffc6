/**
 * The RPC `setchannellabel` (service.md, "RPC methods").
 *
 * @module
 */
import * as v from "valibot";
import { setChannelLabel } from "../../core/labels/setchannellabel.ts";
import { rpcMethod } from "./method.ts";
import { resource } from "./parameters.ts";

/** Labels a fader channel. */
export const setchannellabel = rpcMethod({
  name: "setchannellabel",
  summary: "Label a fader channel; a blank label puts the configured one back.",
  params: v.object({
    sourceid: resource("fader channel ID, unique in the device"),
    label: v.pipe(v.string("a string"), v.description("at most 128 characters")),
  }),
  writes: true,
  run: (console, { sourceid, label }, actor) =>
    console.dispatch(setChannelLabel(sourceid, label), actor),
});
