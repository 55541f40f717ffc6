import { logout as logOut } from "../../core/users/login.ts";
import { action } from "../action-api/action.ts";
import { integer } from "../schemas.ts";

/** Logs the user of a virtual mixer out; any user may. */
export const logout = action({
  name: "logout",
  summary: "Log out the user who is logged in on a virtual mixer.",
  parameters: { ObjectID: integer("virtual mixer") },
  token: "required",
  run: (console, { ObjectID }, actor) => console.dispatch(logOut(ObjectID), actor),
});
