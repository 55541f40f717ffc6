/**
 * The RPC `registerextlist` (service.md, "RPC methods").
 *
 * @module
 */
import * as v from "valibot";
import { registerList } from "../../core/lists/register.ts";
import { rpcMethod } from "./method.ts";
import { list } from "./parameters.ts";

/** Subscribes to an external list. */
export const registerextlist = rpcMethod({
  name: "registerextlist",
  summary: "Subscribe to an external list, which comes to be where it was absent. WebSocket only.",
  params: v.object({ list }),
  writes: false,
  run: (console, { list }, actor) => console.dispatch(registerList(list), actor),
});
