/**
 * The published description of the envelope of the control API: the schemas of the messages that a
 * client sends and receives.
 *
 * @module
 */
import * as v from "valibot";
import { errorCodes } from "../../core/errors.ts";
import { methods } from "../../transport/control-api/methods.ts";
import {
  accessResult,
  treePath,
  viewDocument,
  viewDocumentName,
  viewDocumentRevision,
} from "../../transport/schemas.ts";
import { type Described, jsonSchema, object } from "./json-schema.ts";
import { describeRpc } from "./rpc.ts";

/** The schemas of a request and of its successful answer. */
interface Exchange {
  readonly request: Described;
  readonly answer: Described;
}

const path = jsonSchema(treePath);
const msgID = { description: "Any JSON value of at most 256 characters; the answer has the same." };
const token = {
  type: "string",
  description: "The token of a user, for this message alone; over HTTP also in a header.",
};
const durable = {
  const: false,
  description: "Present if the change is in force, but not on the medium.",
};
const anything = { description: "Any JSON value." };
const nested = {
  type: "object",
  description: "Nested from the root, with only the values that changed.",
};

/**
 * Describes the messages of one method: the members of a request besides `method`, and those of an
 * answer.
 */
function message(
  method: string,
  summary: string,
  request: Described,
  answer: Described = {},
  optional: readonly string[] = [],
): Exchange {
  const required = Object.keys(request).filter((member) => !optional.includes(member));
  return {
    request: {
      description: summary,
      ...object({ method: { const: method }, msgID, token, ...request }, ["method", ...required]),
    },
    answer: object(
      { method: { const: method }, msgID, success: { const: true }, durable, ...answer },
      ["method", "success", ...Object.keys(answer)],
    ),
  };
}

/** Describes the parameters of a method of the envelope by its schema. */
function parametersOf(method: string): Described {
  const { parameters = v.object({}) } = methods.get(method) ?? {};
  return jsonSchema(parameters).properties as Described;
}

/** Describes the messages of every method of the envelope, by its name. */
function describeMethods(): Readonly<Record<string, Exchange>> {
  const taken = object({
    taken: { type: "integer", description: "How many values were taken." },
    dropped: { type: "integer", description: "How many did not fit." },
  }, ["taken"]);
  return {
    auth: message("auth", "Logs the connection in; a wrong token logs it out.", { token }, {}, [
      "token",
    ]),
    get: message(
      "get",
      "Reads the value or the branch at a path.",
      { path, ...parametersOf("get") },
      { path, payload: anything },
      Object.keys(parametersOf("get")),
    ),
    set: message(
      "set",
      "Writes a value, or some of those below a path: all or none. Numbers go to their bounds.",
      { path, payload: anything },
      { path, payload: anything },
    ),
    subscribe: message(
      "subscribe",
      "Subscribes to changes at and below a path, which are sent as update. WebSocket only.",
      { path, ...parametersOf("subscribe") },
      { path },
      Object.keys(parametersOf("subscribe")),
    ),
    unsubscribe: message("unsubscribe", "Ends a subscription. WebSocket only.", { path }, { path }),
    engine: message(
      "engine",
      "Claims to be the audio engine of paths. WebSocket only; for users who are engines.",
      parametersOf("engine"),
      {},
      Object.keys(parametersOf("engine")),
    ),
    report: message(
      "report",
      "Reports read-only values of an engine, or whether the engine is late. Answered only if " +
        "it has a msgID.",
      { payload: nested, late: { type: "boolean" } },
      { payload: taken },
      ["payload", "late"],
    ),
  };
}

/** Describes the messages of every RPC method, by its name. */
function describeCalls(): Readonly<Record<string, Exchange>> {
  return Object.fromEntries(
    describeRpc().map(({ name, summary, params, result }) => {
      const needsParams = params.required !== undefined && params.required.length > 0;
      const call = object({ method: { const: name }, params }, [
        "method",
        ...(needsParams ? ["params"] : []),
      ]);
      const called = object({ method: { const: name }, params: { type: "object" }, result });
      return [name, message("rpc", summary, { payload: call }, { payload: called })];
    }),
  );
}

/** The answer to a request that was refused. */
const failure: Described = {
  description: "A request was refused, and has changed nothing.",
  ...object({
    method: { type: ["string", "null"] },
    msgID,
    path,
    payload: { type: "object", description: "For an RPC: the call, as it was received." },
    success: { const: false },
    error: object({
      code: { enum: Object.values(errorCodes) },
      message: {
        type: "string",
        description: "Names the parameter, the received value and the expected one.",
      },
    }),
  }, ["method", "success", "error"]),
};

const update: Described = {
  description: "Something changed at or below a path that is subscribed to.",
  ...object({
    method: { const: "update" },
    payload: nested,
    tick: { type: "integer", description: "For a step of fades: its number on the grid of 20 ms." },
  }, ["method", "payload"]),
};

/** Describes the events for clients, by their type. */
const events: Readonly<Record<string, Described>> = {
  extlistnotified: {
    description: "A button of an external list was pressed or released.",
    ...object({
      list: { type: "integer", description: "The external list." },
      entry: { type: "integer", description: "The index of the entry, from 0." },
      on: { enum: [0, 1], description: "1 pressed, 0 released." },
    }),
  },
  viewdocument: {
    description: "A view document that the connection has asked for was changed.",
    ...object({
      name: jsonSchema(viewDocumentName),
      revision: jsonSchema(viewDocumentRevision),
      document: jsonSchema(viewDocument),
    }),
  },
  getaccess: {
    description:
      "Access was given to another fader; sent to connections that have called getaccess.",
    ...jsonSchema(v.object(accessResult)),
  },
  handovertaken: {
    description: "A code that this connection made by makehandover was used up.",
    ...object({ name: { type: "string", description: "The user who was handed over." } }),
  },
};

const eventMessages = Object.fromEntries(
  Object.entries(events).map(([type, params]) => [type, {
    description: params.description,
    ...object({ method: { const: "event" }, payload: object({ type: { const: type }, params }) }),
  }]),
);

/**
 * Describes every message: `requests` and `answers` by the method of the envelope, those of RPCs by
 * `rpc.` and the name of the call; `events` by their type; and the two messages that belong to no
 * method of a request.
 */
export function describeMessages() {
  const calls = Object.entries(describeCalls()).map(([name, both]) =>
    [`rpc.${name}`, both] as const
  );
  const all = [...Object.entries(describeMethods()), ...calls];
  return {
    requests: Object.fromEntries(all.map(([name, { request }]) => [name, request])),
    answers: Object.fromEntries(all.map(([name, { answer }]) => [name, answer])),
    failure,
    update,
    events: eventMessages,
  };
}
