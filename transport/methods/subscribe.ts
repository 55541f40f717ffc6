import { refuse } from "../../core/errors.ts";
import { find, parsePath } from "../../core/tree/path.ts";
import { noSuchPath } from "../../core/tree/write.ts";
import { failed, succeeded } from "../envelope.ts";
import type { Method } from "./method.ts";
import { pathOf } from "./path.ts";

/** The refusal of a subscription over HTTP. */
export const WEBSOCKET_ONLY = refuse("webSocketOnly", "updates come over WebSocket only");

/** From now on, changes at and below a path come as `update`. */
export const subscribe: Method = {
  writes: () => false,
  answer(request, { console, connection }) {
    if (connection === undefined) return failed(request, WEBSOCKET_ONLY);
    const path = pathOf(request);
    if (typeof path !== "string") return failed(request, path);
    const members = parsePath(path);
    if (find(console.state.tree, members) === undefined) {
      return failed(request, noSuchPath(members));
    }
    const refused = connection.subscribe(members);
    return refused === undefined ? succeeded(request) : failed(request, refused);
  },
};
