import { engineRefusal, EVERYTHING, isEngine, tellLate } from "../../core/engines/claim.ts";
import { isRefusal, refuse } from "../../core/errors.ts";
import { shown } from "../../core/shown.ts";
import { type Branch, isBranch } from "../../core/tree/tree.ts";
import { DEVICE } from "../../core/users/user.ts";
import type { Method } from "../control-api/method.ts";
import { cameAs } from "../parameters.ts";
import { claim } from "./engine.ts";

/**
 * An engine reports values that only it knows, at and below its claimed paths; the first report of
 * an engine without a claim claims everything. Reports are neither in the audit trail nor charged
 * to a write budget. Lateness comes in a report of its own, because a deferred report must not
 * delay it; that report claims nothing.
 */
export const report: Method = {
  writes: () => true,
  quiet: true,
  answer({ payload, late }, caller) {
    const { console, actor: { user, connection: number }, connection } = caller;
    if (number === undefined || connection === undefined) {
      return refuse("webSocketOnly", "an engine reports over a WebSocket only");
    }
    if (!isEngine(user)) return engineRefusal(user);
    if (late !== undefined && typeof late !== "boolean") {
      return refuse("invalidParameter", `expected true or false, got ${shown(late)}`, "late");
    }
    if (late !== undefined && payload !== undefined) {
      return refuse("invalidParameter", "expected late or payload, got both", "late");
    }
    if (late === undefined && !isBranch(payload)) {
      return refuse("malformed", `expected an object, ${cameAs(payload)}`, "payload");
    }
    if (late !== undefined) {
      console.dispatch(tellLate(number, late), DEVICE);
      return { result: { taken: 0 } };
    }
    if (!console.state.engines.claims.has(number)) {
      const claimed = claim(caller, [EVERYTHING]);
      if (claimed instanceof Promise || isRefusal(claimed)) return claimed;
    }
    return connection.report(console.state.engines.claims.get(number)!, payload as Branch);
  },
};
