import { parsePath } from "../../core/tree/tree.ts";
import { pathOf } from "../control-api/envelope.ts";
import type { Method } from "../control-api/method.ts";
import { WEBSOCKET_ONLY } from "./subscribe.ts";

/** Ends a subscription; succeeds even if there was none. */
export const unsubscribe: Method = {
  answer(request, { connection }) {
    if (connection === undefined) return WEBSOCKET_ONLY;
    const path = pathOf(request);
    if (typeof path !== "string") return path;
    connection.unsubscribe(parsePath(path));
    return { result: undefined };
  },
};
