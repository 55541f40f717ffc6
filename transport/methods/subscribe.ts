import * as v from "valibot";
import { isRefusal, refuse } from "../../core/errors.ts";
import { METER_INTERVAL_MS } from "../../core/limits.ts";
import { nothingAt } from "../../core/tree/get.ts";
import { find, parsePath } from "../../core/tree/tree.ts";
import { pathOf } from "../control-api/envelope.ts";
import type { Method } from "../control-api/method.ts";
import { readParameters } from "../parameters.ts";
import { flag, integer } from "../schemas.ts";

/** The refusal of a subscription over HTTP. */
export const WEBSOCKET_ONLY = refuse("webSocketOnly", "updates come over WebSocket only");

const LOG_IN = refuse("notLoggedIn", "log in with auth to subscribe");

const parameters = v.object({
  meters: v.optional(flag("Whether meters below the path are told, too."), false),
  interval: v.optional(
    integer("The time between updates of meters, in ms.", METER_INTERVAL_MS),
    METER_INTERVAL_MS.min,
  ),
});

/**
 * Subscribes to changes at and below a path, which are sent as `update`; refused (4) if the caller
 * may not receive any. Meters are included, once in `interval` ms, if the path is that of a meter
 * or below one, or the request has `"meters": true`.
 */
export const subscribe: Method = {
  parameters,
  answer(request, { console, connection }) {
    if (connection === undefined) return WEBSOCKET_ONLY;
    if (!connection.mayHear()) return LOG_IN;
    const path = pathOf(request);
    if (typeof path !== "string") return path;
    const wanted = readParameters(parameters, { ...request });
    if (isRefusal(wanted)) return wanted;
    const members = parsePath(path);
    if (find(console.state.tree, members) === undefined) return nothingAt(console.state, members);
    return connection.subscribe(members, wanted) ?? { result: undefined };
  },
};
