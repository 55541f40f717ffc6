/**
 * The method `unsubscribe` (control-tree.md, "Messages").
 *
 * @module
 */
import { parsePath } from "../../core/tree/tree.ts";
import { failed, succeeded } from "../envelope.ts";
import type { Method } from "./method.ts";
import { pathOf } from "./path.ts";
import { WEBSOCKET_ONLY } from "./subscribe.ts";

/** Ends a subscription; well answered also where there was none. */
export const unsubscribe: Method = {
  answersMuch: () => false,
  writes: () => false,
  answer(request, { connection }) {
    if (connection === undefined) return failed(request, WEBSOCKET_ONLY);
    const path = pathOf(request);
    if (typeof path !== "string") return failed(request, path);
    connection.unsubscribe(parsePath(path));
    return succeeded(request);
  },
};
