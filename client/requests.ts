/**
 * Requests, and their answers.
 *
 * @module
 */
import { isBranch } from "../core/wire.ts";
import { RequestError } from "./request-error.ts";

/** A request as it is sent, except for its `msgID`. */
export interface Message {
  readonly method: string;
  readonly path?: string;
  readonly payload?: unknown;
  readonly [member: string]: unknown;
}

/** A received message, not checked yet. */
export type Received = Readonly<Record<string, unknown>>;

/** Receives the outcome of a request: its payload, or the reason why it failed. */
export interface Asker {
  resolve(payload: unknown): void;
  reject(error: RequestError): void;
}

/** Ignores the outcome of a request. */
export const ignored: Asker = { resolve() {}, reject() {} };

/** The requests that have no answer yet. */
export interface Requests {
  /** Sends a request; the asker receives exactly one outcome. */
  ask(message: Message, asker: Asker): void;
  /** Passes an answer to its asker; returns whether the answer belongs to the protocol. */
  answered(answer: Received): boolean;
  /** Says whether a request has no answer yet. */
  isWaiting(): boolean;
  /**
   * Rejects all requests without an answer; `why` is a clause such as "the connection was lost".
   */
  fail(code: "lost" | "closed", why: string): void;
}

interface Waiting extends Asker {
  readonly message: Message;
}

/**
 * Makes requests, sent by `send`. `reportRefused` is called if a report without an answer is
 * refused, for which no asker waits.
 */
export function createRequests(
  send: (text: string) => void,
  reportRefused: (error: RequestError) => void,
): Requests {
  /** The requests by their `msgID`, in the order in which they were sent. */
  const waiting = new Map<unknown, Waiting>();
  let lastId = 0;

  return {
    ask(message, { resolve, reject }) {
      const msgID = ++lastId;
      // It throws if the message has a value that JSON cannot have: then nothing waits for it.
      const text = JSON.stringify({ msgID, ...message });
      waiting.set(msgID, { message, resolve, reject });
      send(text);
    },
    answered({ msgID, method, success, payload, error }) {
      const refusal = success === false ? refusalIn(error) : undefined;
      if (success !== true && refusal === undefined) return false;
      if (refusal !== undefined && msgID === undefined && method === "report") {
        reportRefused(refusal);
        return true;
      }
      // The console reads neither `method` nor `msgID` of a message over a limit. It answers in
      // order, so this answer is for the first waiting request.
      const isUnread = refusal !== undefined && msgID === undefined && method === null;
      const id = isUnread ? waiting.keys().next().value : msgID;
      const asker = waiting.get(id);
      if (asker === undefined) return true;
      if (refusal === undefined && !answers(asker.message, payload)) return false;
      waiting.delete(id);
      if (refusal === undefined) asker.resolve(payload);
      else asker.reject(refusal);
      return true;
    },
    isWaiting: () => waiting.size > 0,
    fail(code, why) {
      const failed = [...waiting.values()];
      waiting.clear();
      for (const { message, reject } of failed) {
        const sentence = `${why} before the answer to ${what(message)} came: ` +
          "nobody knows whether it was carried out";
        reject(new RequestError(code, sentence));
      }
    },
  };
}

/** Says whether a payload fits the answer to a request. */
function answers({ method }: Message, payload: unknown): boolean {
  if (method === "get" || method === "set") return payload !== undefined;
  if (method === "rpc") return isBranch(payload) && payload.result !== undefined;
  return method !== "report" || isBranch(payload) && typeof payload.taken === "number";
}

function refusalIn(error: unknown): RequestError | undefined {
  if (!isBranch(error)) return undefined;
  const { code, message } = error;
  return typeof code === "number" && typeof message === "string"
    ? new RequestError(code as RequestError["code"], message)
    : undefined;
}

function what({ method, path, payload }: Message): string {
  if (path !== undefined) return `${method} ${path}`;
  return isBranch(payload) && method === "rpc" ? String(payload.method) : method;
}
