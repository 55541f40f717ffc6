/**
 * The method `subscribe` (control-tree.md, "Messages").
 *
 * @module
 */
import { refuse } from "../../core/errors.ts";
import { nothingAt } from "../../core/tree/get.ts";
import { find, parsePath } from "../../core/tree/tree.ts";
import { failed, succeeded } from "../envelope.ts";
import type { Method } from "./method.ts";
import { pathOf } from "./path.ts";

/** The refusal of a subscription over HTTP. */
export const WEBSOCKET_ONLY = refuse("webSocketOnly", "updates come over WebSocket only");

const LOG_IN = refuse("notLoggedIn", "log in with auth to subscribe");

/** From now on, changes at and below a path come as `update`; refused (4) where none would. */
export const subscribe: Method = {
  answersMuch: () => false,
  writes: () => false,
  answer(request, { console, connection }) {
    if (connection === undefined) return failed(request, WEBSOCKET_ONLY);
    if (!connection.mayHear) return failed(request, LOG_IN);
    const path = pathOf(request);
    if (typeof path !== "string") return failed(request, path);
    const members = parsePath(path);
    if (find(console.state.tree, members) === undefined) {
      return failed(request, nothingAt(console.state, members));
    }
    const refused = connection.subscribe(members);
    return refused === undefined ? succeeded(request) : failed(request, refused);
  },
};
