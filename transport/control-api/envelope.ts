/**
 * The envelope of the control API: the form of requests, their maximum length, and the answers
 * (service.md, "RPC envelope"; control-tree.md, "Messages"; decisions.md, "Control API endpoints").
 *
 * @module
 */
import type { Outcome } from "../../core/command.ts";
import { type Refusal, refuse } from "../../core/errors.ts";
import { jsonExcess } from "../../core/json.ts";
import {
  JSON_MEMBERS,
  MESSAGE_ID_CHARACTERS,
  MESSAGE_VALUES,
  PATH_CHARACTERS,
  SNAPSHOT_FILE_BYTES,
} from "../../core/limits.ts";
import { shown } from "../../core/shown.ts";
import type { State } from "../../core/state.ts";
import { isBranch } from "../../core/tree/tree.ts";
import type { User } from "../../core/users/user.ts";
import { cameAs } from "../parameters.ts";

/** The members that requests have in common. */
export interface Envelope {
  readonly method: string;
  /** Echoed as it came, unless it is too long. */
  readonly msgID?: unknown;
  readonly token?: unknown;
  readonly path?: unknown;
  readonly payload?: unknown;
  /** Of `get`: how many levels below the path are read. */
  readonly depth?: unknown;
  /** Of `get`: the members that are read at the last level. */
  readonly only?: unknown;
  /**
   * Of `get`: whether a branch that was a leaf in older firmware is answered as the value of that
   * leaf.
   */
  readonly leaf?: unknown;
  /** Of `engine`: the claimed paths. */
  readonly paths?: unknown;
  /** Of `report`: whether the engine falls behind. */
  readonly late?: unknown;
}

/** A message that is not a request. */
export interface MalformedMessage {
  readonly refusal: Refusal;
  /** False when it was not even a JSON object: status 400 over HTTP. */
  readonly isObject: boolean;
  /** The members that could be read. */
  readonly message: Members;
}

/**
 * A message within the limits of its length. `"method" in message` says that it is an envelope; the
 * sender may have added members with any other name.
 */
export type Message = Envelope | MalformedMessage;

/** An answer, ready to be sent as JSON. */
export type Answer = Members & { readonly success: boolean };

type Members = Readonly<Record<string, unknown>>;

/**
 * Ratio of the maximum length of a received snapshot to that of the largest snapshot of this
 * console: a snapshot of another console has other numbers and labels.
 */
const OF_OTHER_CONSOLES = 2;

/** Returns the maximum size of a snapshot file in bytes. */
export function snapshotFileLimit({ snapshotBytes }: State): number {
  return Math.max(SNAPSHOT_FILE_BYTES, OF_OTHER_CONSOLES * snapshotBytes);
}

/** Returns the maximum number of values of a snapshot file, and of a message with a snapshot. */
export function snapshotFileValues({ snapshotValues }: State): number {
  return Math.max(MESSAGE_VALUES, OF_OTHER_CONSOLES * snapshotValues);
}

/**
 * Returns the maximum size of any message in bytes: a message with a snapshot may be longer than
 * others, because it may have a whole mixer. Longer messages need not be read.
 */
export function longestMessage({ configuration, snapshotBytes }: State): number {
  return Math.max(configuration.limits.maxMessageBytes, OF_OTHER_CONSOLES * snapshotBytes);
}

/**
 * Reads a message; if it has too many bytes, returns the limit of its kind. Refused with code 1:
 * text that is not a JSON object, a missing method, a `msgID` that is too long, too many values or
 * members, too deep nesting; the refusal has the members that could be read, so that the answer can
 * echo them. Parsing a large message takes long, so it is done only for users, and only for
 * `setsnapshot`. `senderOf` returns the sender, by the token in the message, if there is one.
 */
export function readMessage(
  state: State,
  text: string,
  senderOf: (token: string | undefined) => User | undefined,
): Message | { readonly limit: number } {
  const excess = excessOf(text, state.configuration.limits.maxMessageBytes, MESSAGE_VALUES);
  if (excess === undefined) return parseEnvelope(text);
  const mayBeLarger = text.includes('"setsnapshot"') &&
    senderOf(writtenToken(text)) !== undefined;
  if (!mayBeLarger) return excess;
  const larger = excessOf(text, longestMessage(state), snapshotFileValues(state));
  if (larger !== undefined) return larger;
  const request = parseEnvelope(text);
  return isSetSnapshot(request) ? request : excess;
}

/**
 * Reads a message of a service without large messages; if it has too many bytes, returns the limit.
 * It is refused as {@linkcode readMessage} refuses one.
 */
export function readSmallMessage(
  text: string,
  limit: number,
): Message | { readonly limit: number } {
  return excessOf(text, limit, MESSAGE_VALUES) ?? parseEnvelope(text);
}

/**
 * Returns why a message is not parsed at all: it exceeds the limit on bytes or values. Its start
 * shows whether it would be an object.
 */
function excessOf(
  text: string,
  limit: number,
  values: number,
): MalformedMessage | { readonly limit: number } | undefined {
  if (exceedsBytes(text, limit)) return { limit };
  const excess = jsonExcess(text, values, JSON_MEMBERS);
  if (excess === undefined) return undefined;
  return malformed(`the message ${excess}`, /^\s*\{/.test(text) ? firstMembers(text) : undefined);
}

/** Maximum number of characters from which {@linkcode firstMembers} are read. */
const FIRST_CHARACTERS = 1024;

/**
 * Returns the members before the first object or list in the text of an object, for the answer to a
 * message that is not parsed: `msgID` and `method` stand there as a rule.
 */
function firstMembers(text: string): Members {
  const first = /^[^{]*\{[^{[]*,/.exec(text.slice(0, FIRST_CHARACTERS))?.[0];
  if (first === undefined) return {};
  const message = parseEnvelope(`${first.slice(0, -1)}}`);
  return "method" in message ? { ...message } : message.message;
}

/** Returns the token of an unparsed message, if it is written without escapes. */
export function writtenToken(text: string): string | undefined {
  return TOKEN.exec(text)?.[1];
}

const TOKEN = /"token"\s*:\s*"([^"\\]{1,64})"/;

const MOST_BYTES_PER_CHARACTER = 3;

/**
 * Says whether a text is over a size as UTF-8; it is only encoded if its length does not decide
 * that.
 */
function exceedsBytes(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * MOST_BYTES_PER_CHARACTER > bytes &&
    new TextEncoder().encode(text).length > bytes;
}

function isSetSnapshot(request: Message): boolean {
  return "method" in request && request.method === "rpc" && isBranch(request.payload) &&
    request.payload.method === "setsnapshot";
}

function parseEnvelope(text: string): Message {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return malformed("the message is not JSON");
  }
  if (!isBranch(message)) return malformed(`expected a JSON object, got ${shown(message)}`);
  const fault = faultOfId(message.msgID);
  if (fault !== undefined) {
    const { msgID: _, ...others } = message;
    return malformed(`msgID: expected ${fault}`, others);
  }
  const { method } = message;
  return typeof method === "string"
    ? message as unknown as Envelope
    : malformed(`method: expected a string, ${cameAs(method)}`, message);
}

/**
 * Returns what was expected instead of a `msgID` that cannot be echoed as received; undefined if it
 * can.
 */
function faultOfId(msgID: unknown): string | undefined {
  if (msgID === undefined) return undefined;
  // Most `msgID`s are numbers, which need not be measured.
  if (typeof msgID !== "number") {
    const { length } = JSON.stringify(msgID);
    if (length > MESSAGE_ID_CHARACTERS) {
      return `at most ${MESSAGE_ID_CHARACTERS} characters as JSON, got ${length}`;
    }
  }
  if (!hasLostDigits(msgID)) return undefined;
  return `a number of at most ${Number.MAX_SAFE_INTEGER}, or the number as text`;
}

/** Says whether a number in a value is beyond the safe range, and so has lost its last digits. */
function hasLostDigits(value: unknown): boolean {
  if (typeof value === "number") return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return typeof value === "object" && value !== null && Object.values(value).some(hasLostDigits);
}

function malformed(reason: string, message?: Members): MalformedMessage {
  const isObject = message !== undefined;
  return { refusal: refuse("malformed", reason), isObject, message: message ?? {} };
}

/** A binary frame, as a malformed message. */
export const BINARY_FRAME: MalformedMessage = malformed("expected a text frame, got a binary one");

/** Returns the path of a request as it was sent; refused (3) when it is not a text, or too long. */
export function pathOf({ path }: Envelope): string | Refusal {
  if (typeof path !== "string") {
    return refuse("invalidParameter", `expected a string, ${cameAs(path)}`, "path");
  }
  return pathRefusal(path) ?? path;
}

/** Refuses (3) a path that is longer than any path of a console. */
function pathRefusal({ length }: string): Refusal | undefined {
  const expected = `expected at most ${PATH_CHARACTERS} characters, got ${length}`;
  return length > PATH_CHARACTERS ? refuse("invalidParameter", expected, "path") : undefined;
}

/**
 * Makes the answer to a successful request: the request's own members first, then the payload, if
 * there is one, and `durable` false if the change is in force but not on the medium.
 */
export function succeeded(
  request: Envelope,
  { result, durable }: Exclude<Outcome<unknown>, Refusal>,
): Answer {
  return {
    ...echo(request),
    ...(result === undefined ? {} : { payload: result }),
    success: true,
    ...(durable === undefined ? {} : { durable }),
  };
}

/** Makes the answer to a refused request; for an RPC it names the call, as it was received. */
export function failed(request: Members | Envelope, { code, message }: Refusal): Answer {
  return { ...echo(request), ...calledRpc(request), success: false, error: { code, message } };
}

function echo(request: Members | Envelope): Members {
  const { msgID, method, path } = request;
  return {
    ...(msgID === undefined ? {} : { msgID }),
    method: typeof method === "string" ? method : null,
    ...(typeof path === "string" && path.length <= PATH_CHARACTERS ? { path } : {}),
  };
}

function calledRpc({ method, payload }: Members | Envelope): Members {
  if (method !== "rpc" || !isBranch(payload)) return {};
  return { payload: { method: payload.method, params: payload.params } };
}
