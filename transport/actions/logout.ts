import { logout as logOut } from "../../core/users/login.ts";
import { action } from "../action-api/action.ts";
import { integer } from "../schemas.ts";

/** Takes off a virtual mixer whoever is logged in there; any user may. */
export const logout = action({
  name: "logout",
  summary: "Log out whoever is logged in on a virtual mixer.",
  parameters: { ObjectID: integer("virtual mixer") },
  token: "required",
  names: { mixer: "ObjectID" },
  run: (console, { ObjectID }, actor) => console.dispatch(logOut(ObjectID), actor),
});
