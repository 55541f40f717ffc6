import { engineRefusal, EVERYTHING, isEngine } from "../../core/engines/claim.ts";
import { isRefusal, refuse } from "../../core/errors.ts";
import { shown } from "../../core/shown.ts";
import { isBranch } from "../../core/tree/tree.ts";
import type { Method } from "../control-api/method.ts";
import { claim } from "./engine.ts";

/**
 * An engine reports values that only it knows, at and below the paths that it has claimed; one that
 * has claimed none claims everything by it. What is reported the console says of itself: no audit
 * trail tells of it, and no write budget is charged.
 */
export const report: Method = {
  writes: () => true,
  quiet: true,
  answer({ payload }, caller) {
    const { console, actor: { user, connection: number }, connection } = caller;
    if (number === undefined || connection === undefined) {
      return refuse("webSocketOnly", "an engine reports over a WebSocket only");
    }
    if (!isEngine(user)) return engineRefusal(user);
    if (!isBranch(payload)) {
      return refuse("malformed", `expected an object, got ${shown(payload)}`, "payload");
    }
    if (!console.state.engines.claims.has(number)) {
      const claimed = claim(caller, [EVERYTHING]);
      if (claimed instanceof Promise || isRefusal(claimed)) return claimed;
    }
    return connection.report(console.state.engines.claims.get(number)!, payload);
  },
};
