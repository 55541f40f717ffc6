import * as v from "valibot";
import { textResult } from "../../transport/schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";

/** Makes a code by which one console can be enrolled. */
export const fleetenrolcode = fleetRpcMethod({
  name: "fleetenrolcode",
  summary: "Make a code by which one console can be enrolled, once. For admins.",
  params: {},
  result: v.object({
    code: textResult("the code"),
    expires: textResult("when it expires, in ISO 8601 and UTC"),
  }),
  run: (core, _params, actor) => core.makeCode(actor),
});
