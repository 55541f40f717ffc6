/**
 * The RPC `registerextlist` (service.md, "RPC methods").
 *
 * @module
 */
import * as v from "valibot";
import { refuse } from "../../core/errors.ts";
import { registerList } from "../../core/lists/registerextlist.ts";
import { rpcMethod } from "./method.ts";
import { list } from "./parameters.ts";

const LOG_IN = refuse("notLoggedIn", "log in with auth to register a list");

/** Subscribes to an external list; refused (4) where no event of it would be heard. */
export const registerextlist = rpcMethod({
  name: "registerextlist",
  summary: "Subscribe to an external list, which comes to be where it was absent. WebSocket only.",
  params: v.object({ list }),
  writes: false,
  run: (console, { list }, actor, { mayHear }) =>
    mayHear() ? console.dispatch(registerList(list), actor) : LOG_IN,
});
