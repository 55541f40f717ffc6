import { tellUser } from "../../core/users/getuser.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";

/** Tells who asks; ours, for clients that show what their user may do. */
export const getuser = rpcMethod({
  name: "getuser",
  summary: "Tell who asks, and what that user may do; the name is null for who is not logged in.",
  params: {},
  reads: true,
  run: (_console, _params, actor) => ({ result: tellUser(actor) }),
});
