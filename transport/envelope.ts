/**
 * The envelope of the control API: what a request has to look like, and the answers
 * (service.md, "RPC envelope"; control-tree.md, "Messages").
 *
 * @module
 */
import { type Refusal, refuse } from "../core/errors.ts";
import { MESSAGE_DEPTH } from "../core/limits.ts";
import { nestsDeeper } from "../core/nesting.ts";
import { isBranch } from "../core/tree/tree.ts";
import { shown } from "../core/shown.ts";

/** A request, as far as every request looks alike. */
export interface Envelope {
  readonly method: string;
  /** Echoed as it came. */
  readonly msgID?: unknown;
  readonly token?: unknown;
  readonly path?: unknown;
  readonly payload?: unknown;
}

/** An answer, ready to be sent as JSON. */
export type Answer = Readonly<Record<string, unknown>> & { readonly success: boolean };

/**
 * Reads a message. Refused with code 1: no JSON, no object, no method, nesting over 64 levels; the
 * refusal carries what could be read, so that the answer can echo it.
 */
export function parseEnvelope(text: string): Envelope | MalformedMessage {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return malformed("the message is no JSON");
  }
  if (!isBranch(message)) return malformed(`expected a JSON object, got ${shown(message)}`);
  if (nestsDeeper(message, MESSAGE_DEPTH)) {
    return malformed(`the message nests deeper than ${MESSAGE_DEPTH} levels`, {});
  }
  const { method } = message;
  return typeof method === "string"
    ? message as unknown as Envelope
    : malformed(`method: expected a string, got ${shown(method)}`, message);
}

/** A message that is no request. */
export interface MalformedMessage {
  readonly refusal: Refusal;
  /** False when it was not even a JSON object: status 400 over HTTP. */
  readonly isObject: boolean;
  /** What could be read of it. */
  readonly message: Readonly<Record<string, unknown>>;
}

function malformed(
  reason: string,
  message?: Readonly<Record<string, unknown>>,
): MalformedMessage {
  const isObject = message !== undefined;
  return { refusal: refuse("malformed", reason), isObject, message: message ?? {} };
}

/** The answer to what went well: the request's own members first, then `rest`. */
export function succeeded(request: Envelope, rest: Readonly<Record<string, unknown>> = {}): Answer {
  return { ...echo(request), ...rest, success: true };
}

/** The answer to what was refused; of an RPC it names the call, as it was received. */
export function failed(
  request: Readonly<Record<string, unknown>> | Envelope,
  { code, message }: Refusal,
): Answer {
  return { ...echo(request), ...calledRpc(request), success: false, error: { code, message } };
}

function echo(request: Readonly<Record<string, unknown>> | Envelope): Record<string, unknown> {
  const { msgID, method, path } = request;
  return {
    ...(msgID === undefined ? {} : { msgID }),
    method: typeof method === "string" ? method : null,
    ...(typeof path === "string" ? { path } : {}),
  };
}

function calledRpc({ method, payload }: Readonly<Record<string, unknown>> | Envelope) {
  if (method !== "rpc" || !isBranch(payload)) return {};
  return { payload: { method: payload.method, params: payload.params } };
}

/** The malformed message that a binary frame is. */
export const BINARY_FRAME: MalformedMessage = malformed("expected a text frame, got a binary one");
