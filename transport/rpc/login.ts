import * as v from "valibot";
import { login as logIn } from "../../core/users/login.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { mixer, textResult } from "../schemas.ts";

/**
 * Logs the caller in on a virtual mixer, like the REST action of that name. An addition to the
 * specification.
 */
export const login = rpcMethod({
  name: "login",
  summary: "Log the caller in on a virtual mixer.",
  params: { mixer },
  result: v.object({ user: textResult("user who is logged in on the mixer now") }),
  run: (console, { mixer }, actor) => console.dispatch(logIn(mixer), actor),
});
