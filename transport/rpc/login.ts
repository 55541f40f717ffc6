import * as v from "valibot";
import { login as logIn } from "../../core/users/login.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { mixer, says } from "../schemas.ts";

/** Puts who asks on a virtual mixer, whoever was there; ours, as the REST action of that name. */
export const login = rpcMethod({
  name: "login",
  summary: "Log who asks in on a virtual mixer.",
  params: { mixer },
  result: v.object({ user: says("who is on the mixer now") }),
  run: (console, { mixer }, actor) => console.dispatch(logIn(mixer), actor),
});
