/**
 * Tells requests over HTTP that only read a console from those that may write.
 *
 * @module
 */
import { isRefusal } from "../../core/errors.ts";
import { ACTION_PATH } from "../../transport/action-api/action-api.ts";
import { CONTROL_API_PATH } from "../../transport/control-api/control-api.ts";
import type { Envelope } from "../../transport/control-api/envelope.ts";
import { methods } from "../../transport/control-api/methods.ts";
import { INSPECTED_BODY_BYTES } from "./hub-limits.ts";
import { parseMessage } from "./message-token.ts";

/**
 * Says whether a request to a console may be more than a read. It reads the body of a short message
 * of the control API.
 */
export async function mayWrite(request: Request): Promise<boolean> {
  const { pathname } = new URL(request.url);
  // Actions may write by GET, too.
  if (/^(GET|HEAD)$/.test(request.method)) return pathname.startsWith(ACTION_PATH);
  const length = Number(request.headers.get("content-length") ?? Infinity);
  const isMessage = request.method === "POST" && pathname.startsWith(CONTROL_API_PATH);
  if (!isMessage || length > INSPECTED_BODY_BYTES) return true;
  const parsed = parseMessage(await request.text().catch(() => ""), "user");
  const message = isRefusal(parsed) ? undefined : parsed.message;
  if (message === undefined) return true;
  return methods.get(String(message.method))?.asks?.(message as unknown as Envelope) !== undefined;
}
