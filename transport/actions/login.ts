import * as v from "valibot";
import { isRefusal } from "../../core/errors.ts";
import { login as logIn } from "../../core/users/login.ts";
import { action } from "../action-api/action.ts";
import { integer } from "../schemas.ts";

/** Logs the user of the token in on a virtual mixer, in place of the previous user. */
export const login = action({
  name: "login",
  summary: "Log the user of the token in on a virtual mixer.",
  parameters: { ObjectID: integer("virtual mixer") },
  token: "required",
  result: { User: v.pipe(v.string(), v.description("user who is logged in now")) },
  async run(console, { ObjectID }, actor) {
    const outcome = await console.dispatch(logIn(ObjectID), actor);
    return isRefusal(outcome) ? outcome : { ...outcome, result: { User: outcome.result.user } };
  },
});
