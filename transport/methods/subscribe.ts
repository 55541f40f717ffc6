import { refuse } from "../../core/errors.ts";
import { METER_INTERVAL_MS } from "../../core/limits.ts";
import { shown } from "../../core/shown.ts";
import { nothingAt } from "../../core/tree/get.ts";
import { find, parsePath } from "../../core/tree/tree.ts";
import { pathOf } from "../control-api/envelope.ts";
import type { Method } from "../control-api/method.ts";

/** The refusal of a subscription over HTTP. */
export const WEBSOCKET_ONLY = refuse("webSocketOnly", "updates come over WebSocket only");

const LOG_IN = refuse("notLoggedIn", "log in with auth to subscribe");

/**
 * From now on, changes at and below a path come as `update`; refused (4) where none would. Meters
 * come where the path names them or lies inside them, or where the request says `"meters": true`; once
 * in `interval` ms.
 */
export const subscribe: Method = {
  answer(request, { console, connection }) {
    if (connection === undefined) return WEBSOCKET_ONLY;
    if (!connection.mayHear()) return LOG_IN;
    const path = pathOf(request);
    if (typeof path !== "string") return path;
    const { meters = false, interval = METER_INTERVAL_MS.min } = request;
    if (typeof meters !== "boolean") {
      return refuse("invalidParameter", `expected true or false, got ${shown(meters)}`, "meters");
    }
    if (!isInterval(interval)) {
      const { min, max } = METER_INTERVAL_MS;
      const expected = `expected an integer ${min}..${max} (ms), got ${shown(interval)}`;
      return refuse("invalidParameter", expected, "interval");
    }
    const members = parsePath(path);
    if (find(console.state.tree, members) === undefined) return nothingAt(console.state, members);
    return connection.subscribe(members, { meters, interval }) ?? { result: undefined };
  },
};

function isInterval(value: unknown): value is number {
  const { min, max } = METER_INTERVAL_MS;
  return Number.isInteger(value) && value as number >= min && value as number <= max;
}
