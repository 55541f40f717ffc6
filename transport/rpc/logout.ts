import { logout as logOut } from "../../core/users/login.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { done, mixer } from "../schemas.ts";

/** Logs the user of a virtual mixer out; ours, as the REST action of that name. */
export const logout = rpcMethod({
  name: "logout",
  summary: "Log out the user who is logged in on a virtual mixer.",
  params: { mixer },
  result: done,
  run: (console, { mixer }, actor) => console.dispatch(logOut(mixer), actor),
});
