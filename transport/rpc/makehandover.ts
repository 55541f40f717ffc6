import * as v from "valibot";
import { HANDOVER_MINUTES } from "../../core/limits.ts";
import { byAdmin } from "../../core/users/admin.ts";
import { makeHandover } from "../../core/users/makehandover.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { integer, textResult, userName } from "../schemas.ts";

/** Makes a code for the hand-over of a user; only for admins. An addition to the specification. */
export const makehandover = rpcMethod({
  name: "makehandover",
  summary:
    "Make a code by which a device gets a new token of a user, once; the code in the result is not shown again. For admins.",
  params: {
    name: userName,
    minutes: v.optional(
      integer("time in minutes for which the code is valid", HANDOVER_MINUTES),
      HANDOVER_MINUTES.default,
    ),
  },
  result: v.object({
    code: textResult("the code, which is not shown again"),
    expires: textResult("when the code expires, in ISO 8601 and UTC"),
  }),
  run: (console, { name, minutes }, actor) =>
    console.dispatch(byAdmin(makeHandover(name, minutes)), actor),
});
