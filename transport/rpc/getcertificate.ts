import * as v from "valibot";
import { adminRefusal } from "../../core/users/admin.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { timeResult } from "../schemas.ts";

/** Tells how long the certificate of HTTPS is valid; ours, for admins. */
export const getcertificate = rpcMethod({
  name: "getcertificate",
  summary:
    "Tell from when until when the certificate is valid; both are null where there is none. For admins.",
  params: {},
  result: v.object({
    from: timeResult("beginning of the validity"),
    until: timeResult("end of the validity"),
  }),
  reads: true,
  async run({ state: { tls } }, _params, actor, { device }) {
    const refusal = adminRefusal(actor);
    if (refusal !== undefined) return refusal;
    const validity = tls && await device.validityOf(tls);
    return { result: { from: validity?.from ?? null, until: validity?.until ?? null } };
  },
});
