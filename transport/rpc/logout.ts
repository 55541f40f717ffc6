import { logout as logOut } from "../../core/users/login.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { done, mixer } from "../schemas.ts";

/** Takes off a virtual mixer whoever is there; ours, as the REST action of that name. */
export const logout = rpcMethod({
  name: "logout",
  summary: "Log out whoever is logged in on a virtual mixer.",
  params: { mixer },
  result: done,
  run: (console, { mixer }, actor) => console.dispatch(logOut(mixer), actor),
});
