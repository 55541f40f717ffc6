/**
 * The headers that a request for a WebSocket has to have (RFC 6455).
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import { shown } from "../../core/shown.ts";
import { refused } from "../json.ts";

/** The one version of the protocol that there is. */
const VERSION = "13";

/**
 * The answer (400) to a request for a WebSocket that none can come of: Deno would throw at it, or
 * take it all the same.
 */
export function refuseHandshake(request: Request): Response | undefined {
  const refusal = faultOf(request);
  return refusal && refused(400, refusal, { "sec-websocket-version": VERSION });
}

function faultOf({ headers }: Request): Refusal | undefined {
  const connection = headers.get("connection") ?? "";
  if (!connection.toLowerCase().split(",").some((option) => option.trim() === "upgrade")) {
    return refuse("malformed", `expected "Upgrade", got ${shown(connection)}`, "Connection");
  }
  const version = headers.get("sec-websocket-version") ?? "";
  if (version !== VERSION) {
    const sentence = `expected ${VERSION}, got ${shown(version)}`;
    return refuse("malformed", sentence, "Sec-WebSocket-Version");
  }
  if (!headers.get("sec-websocket-key")) {
    return refuse("malformed", "expected 16 bytes as base64, it is missing", "Sec-WebSocket-Key");
  }
}
