/**
 * Validates the headers of a request for a WebSocket (RFC 6455).
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import { shown } from "../../core/shown.ts";
import { refused } from "../json-answers.ts";

/** The only version of the protocol. */
const VERSION = "13";

/**
 * Returns the answer (400) to an invalid request for a WebSocket, on which Deno would throw, or
 * which it would accept nevertheless.
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
