import * as v from "valibot";
import { setAccess } from "../../core/access/setaccess.ts";
import { ACCESS_GROUPS } from "../../core/limits.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { done, integer, mixer, resource } from "../schemas.ts";

/** Gives a fader the access of an access group. An addition to the specification. */
export const setaccess = rpcMethod({
  name: "setaccess",
  summary: "Give a fader the access of an access group of its mixer; null gives it to no fader.",
  params: {
    mixer,
    accessgroup: v.optional(integer("access group", ACCESS_GROUPS), ACCESS_GROUPS.min),
    fader: v.nullable(resource("fader in its mixer, or null")),
  },
  result: done,
  run: (console, params, actor) => console.dispatch(setAccess(params), actor),
});
