/**
 * The control API of a hub over HTTP: `/api/rest`, as a console has it.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import type { CooperativeScheduler, Timer } from "../../core/ports.ts";
import { childNames } from "../../core/tree/get.ts";
import type { Tree } from "../../core/tree/tree.ts";
import type { HttpRequest } from "../../transport/arrival.ts";
import type { Budget } from "../../transport/budget.ts";
import {
  completed,
  extentIn,
  flatRefusal,
  notText,
  queryRefusal,
  refusedValue,
  switchIn,
  textIn,
  tooLong,
  treePath,
  unread,
} from "../../transport/control-api/control-api.ts";
import { readSmallMessage } from "../../transport/control-api/envelope.ts";
import { createBodyReader } from "../../transport/intake/body.ts";
import { jsonOf, jsonText, refused, refuseMethod } from "../../transport/json-answers.ts";
import { tokenBeside } from "../../transport/request-token.ts";
import { queryOf } from "../../transport/target.ts";
import type { HubParts } from "./method.ts";
import { answerAtHub, carryOut } from "./methods.ts";
import { MESSAGE_BYTES } from "./sockets.ts";

/** The ports of the control API over HTTP. */
export interface HubRestWorld {
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly budget: Budget;
}

/** Makes the control API of a hub over HTTP. */
export function createHubRest(
  parts: HubParts,
  { timer, scheduler, budget }: HubRestWorld,
): (asked: HttpRequest) => Response | Promise<Response> {
  const readBody = createBodyReader(timer, scheduler, budget);
  const callerOf = ({ client }: HttpRequest, badQuery: Refusal | undefined) => ({
    ...parts,
    actor: { user: undefined, from: client },
    badQuery,
  });

  async function postEnvelope(asked: HttpRequest): Promise<Response> {
    const body = await readBody(asked.request, MESSAGE_BYTES, asked.client);
    if (body.outcome !== "read") return unread(body, MESSAGE_BYTES);
    body.release();
    const text = textIn(body.bytes);
    if (text === undefined) return notText();
    const message = readSmallMessage(text, MESSAGE_BYTES);
    const isEnvelope = "method" in message;
    if (!isEnvelope && "limit" in message) return tooLong(message.limit);
    const request = isEnvelope ? completed(message, asked) : message;
    const status = isEnvelope || message.isObject ? 200 : 400;
    const given = await answerAtHub(request, callerOf(asked, queryRefusal(asked.url)));
    return answered(asked, await jsonOf(given, scheduler, asked.client), status);
  }

  async function getValue(asked: HttpRequest): Promise<Response> {
    const query = queryOf(asked.url);
    if (query?.has("set")) {
      const refusal = refuse("malformed", "method: expected POST to write, got GET");
      return refused(405, refusal, { allow: "POST" });
    }
    const flat = switchIn(query, "flat");
    const extent = query && extentIn(query);
    const path = `/${treePath(asked)}`;
    const request = { method: "get", path, token: tokenBeside(asked), ...extent };
    const caller = callerOf(asked, queryRefusal(asked.url) ?? flatRefusal(flat));
    const outcome = await carryOut(request, caller);
    if (isRefusal(outcome)) return refusedValue(outcome);
    const value = flat === true ? childNames(outcome.result as Tree) : outcome.result;
    return answered(asked, await jsonOf(value, scheduler, asked.client));
  }

  function answered(asked: HttpRequest, text: string, status?: number): Response {
    const body = asked.bodyOf(text, asked.client);
    asked.waits = body instanceof ReadableStream;
    return jsonText(body, status);
  }

  return (asked) =>
    refuseMethod(asked.request, "GET", "POST") ??
      (asked.request.method === "POST" ? postEnvelope(asked) : getValue(asked));
}
