/**
 * The answers of the service over HTTP, as an OpenAPI document.
 *
 * @module
 */
import { ENGINE_STATES } from "../../core/engines/engines.ts";
import { CONTROL_API_PATH } from "../../transport/control-api/control-api.ts";
import { ACTION_PATH } from "../../transport/action-api/action-api.ts";
import { HEALTH_PATH } from "../../transport/health.ts";
import { METRICS_MEDIA, METRICS_PATH } from "../../transport/metrics.ts";
import { PICTURE_PATH } from "../../transport/pictures.ts";
import { WEBSOCKET_PATH } from "../../transport/service.ts";
import { VERSION } from "../version.ts";
import { describeActions, JSON_MEDIA } from "./actions.ts";
import { type Described, object } from "./json-schema.ts";
import { describeLeaves, leafTags, pathParameters } from "./leaves.ts";
import { describeMessages } from "./messages.ts";
import { answered, anybody, json, ofActions, problem, problems, refusals } from "./responses.ts";

type ActionDescription = ReturnType<typeof describeActions>[number];
type Parameter = ActionDescription["parameters"][number];

/** The methods and the RPCs that messages over HTTP cannot use. */
const WEBSOCKET_ONLY = [
  "subscribe",
  "unsubscribe",
  "engine",
  "report",
  "rpc.registerextlist",
  "rpc.unregisterextlist",
  "rpc.setextlist",
  "rpc.pressextlist",
];

/** Describes the HTTP interface by OpenAPI 3.1. */
export function describeOpenApi(): Described {
  const { requests, answers, failure } = describeMessages();
  const overHttp = (name: string) => !WEBSOCKET_ONLY.includes(name);
  const sent = Object.entries(requests).filter(([name]) => overHttp(name));
  const got = Object.entries(answers).filter(([name]) => overHttp(name));
  const anyOf = (kind: string, all: readonly (readonly [string, unknown])[]) =>
    all.map(([name]) => ({ $ref: `#/components/schemas/${kind}.${name}` }));
  const named = (kind: string, all: readonly (readonly [string, unknown])[]) =>
    Object.fromEntries(all.map(([name, schema]) => [`${kind}.${name}`, schema]));
  const envelope = {
    summary: "Carry out a message of the control API.",
    description:
      "Takes the messages of the WebSocket, except those that need one. A message that is " +
      "refused is answered with 200, too, with success false and an error.",
    tags: ["messages"],
    security: anybody,
    requestBody: { required: true, content: json({ anyOf: anyOf("request", sent) }) },
    responses: {
      200: answered("The answer.", {
        anyOf: [...anyOf("answer", got), { $ref: "#/components/schemas/failure" }],
      }),
      ...problems(400, 403, 408, 413, 421, 503),
    },
  };
  return {
    openapi: "3.1.0",
    info: {
      title: "faderd",
      version: VERSION,
      description: "The control service of an audio mixing console, over HTTP. Its messages over " +
        `a WebSocket (${WEBSOCKET_PATH}) are in another document: faderd api --asyncapi.`,
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: "The developers of faderd" },
    },
    tags: [...tags, ...leafTags],
    servers: [{ url: "http://127.0.0.1:8080" }],
    paths: {
      [HEALTH_PATH]: { get: health },
      [METRICS_PATH]: { get: metrics },
      [CONTROL_API_PATH]: {
        get: {
          ...readTree,
          operationId: "root",
          summary: "Read the whole tree, or write it with ?set=.",
        },
        post: { operationId: "message", ...envelope },
      },
      [`${CONTROL_API_PATH}/{path}`]: {
        parameters: [{
          name: "path",
          in: "path",
          required: true,
          description: "A path of the control tree, with its slashes as they are.",
          schema: { type: "string" },
        }],
        get: readTree,
        post: { operationId: "messageAt", ...envelope },
      },
      ...describeLeaves(),
      [`${PICTURE_PATH}{id}`]: { get: picture },
      ...Object.fromEntries(
        describeActions().map((action) => [`${ACTION_PATH}${action.name}`, operations(action)]),
      ),
    },
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        token: { type: "apiKey", in: "query", name: "token" },
        actionToken: { type: "apiKey", in: "query", name: "Token" },
      },
      parameters: pathParameters,
      headers: { Durable: durable },
      responses: refusals,
      schemas: {
        ...named("request", sent),
        ...named("answer", got),
        failure,
        problem,
      },
    },
  };
}

const tags: readonly Described[] = [
  { name: "service", description: "The health and the metrics of the service, and pictures." },
  {
    name: "tree",
    description: "The control tree at any path; each leaf has a path of its own, too.",
  },
  { name: "messages", description: "Messages of the control API: get, set and RPCs." },
  {
    name: "actions",
    description: "Actions: one call each, with parameters in the query or a form.",
  },
];

const durable: Described = {
  description: "false: the change is in force, but not on the medium.",
  schema: { const: "false" },
};

const health: Described = {
  operationId: "health",
  summary: "Report the health of the service.",
  description: "For monitoring. It needs no token, and takes none.",
  tags: ["service"],
  security: [],
  responses: {
    200: answered(
      "It answers.",
      object({
        live: { type: "boolean", description: "The service runs." },
        ready: { type: "boolean", description: "It answers requests." },
        storage: { enum: ["ok", "slow", "full", "readonly", "damaged"] },
        engine: { enum: ENGINE_STATES },
      }),
    ),
  },
};

const metrics: Described = {
  operationId: "metrics",
  summary: "Return the metrics of the service, if the configuration has metrics true.",
  description: "For Prometheus. It needs a token where the configuration asks for one.",
  tags: ["service"],
  security: anybody,
  responses: {
    200: { description: "Prometheus text.", content: { [METRICS_MEDIA]: {} } },
    ...problems(401, 403, 404, 405, 421, 503),
  },
};

/** The accepted texts of a switch in a query. */
const switchText = { type: "string", enum: ["1", "true", "0", "false"] };

const readTree: Described = {
  operationId: "tree",
  summary: "Read the value at a path of the control tree, or write it with ?set=.",
  description:
    "A branch is answered as an object, with all below it. Where the configuration has " +
    "restApi.writesByGet false, set is refused with 405 here and at each leaf: POST a set instead.",
  tags: ["tree"],
  security: anybody,
  parameters: [
    {
      name: "set",
      in: "query",
      description: "What to write: JSON, or, for a leaf that holds text, the text.",
      schema: { type: "string" },
    },
    {
      name: "flat",
      in: "query",
      description: "1 or true: the names of the children alone.",
      schema: switchText,
    },
    {
      name: "depth",
      in: "query",
      description: "Number of levels below the path that are read; a branch deeper down is {}.",
      schema: { type: "integer", minimum: 0 },
    },
    {
      name: "only",
      in: "query",
      description: "Names of the members that are read at the last level, separated by commas.",
      schema: { type: "string" },
    },
    {
      name: "leaf",
      in: "query",
      description: "1 or true: a branch with one value, such as control/logics/1, is that value.",
      schema: switchText,
    },
  ],
  responses: {
    200: {
      description: "The bare value.",
      headers: {
        Durable: { $ref: "#/components/headers/Durable" },
      },
      content: json({}),
    },
    ...problems(400, 401, 403, 404, 405, 421, 503, 507),
  },
};

const picture: Described = {
  operationId: "picture",
  summary: "Fetch the picture of a resource.",
  description: "The ETag of an answer may be sent as If-None-Match by the next request.",
  tags: ["service"],
  security: anybody,
  parameters: [{
    name: "id",
    in: "path",
    required: true,
    description: "The resource.",
    schema: { type: "integer", minimum: 0 },
  }],
  responses: {
    200: { description: "The picture.", content: { "image/png": {} } },
    304: { description: "The picture is the one whose ETag is in If-None-Match." },
    ...problems(401, 403, 404, 405, 421, 503),
  },
};

/** Describes an action, as it is called by each of its HTTP methods. */
function operations(action: ActionDescription): Described {
  return Object.fromEntries(
    action.methods.map((method) => [method.toLowerCase(), operation(action, method)]),
  );
}

function operation(action: ActionDescription, method: "GET" | "POST"): Described {
  const { name, summary, parameters, deprecated } = action;
  const token = parameters.find(({ name }) => name === "Token")!;
  return {
    operationId: method === "GET" ? name : `${name}ByPost`,
    summary,
    description: method === "GET"
      ? "The parameters are in the query."
      : "The parameters are in a form.",
    tags: ["actions"],
    deprecated,
    security: token.optional ? [{}, ...ofActions] : ofActions,
    ...(method === "GET"
      ? { parameters: parameters.map(inQuery) }
      : { requestBody: { required: true, content: form(parameters) } }),
    responses: {
      200: {
        description: "The answer; if the request is wrong, JSON with Error.",
        content: { ...json(answerOf(action)), ...fileOf(action) },
      },
      ...problems(403, 405, 408, 413, 421, 423, 503),
    },
  };
}

function inQuery({ name, type, expected, optional }: Parameter): Described {
  return {
    name,
    in: "query",
    required: false,
    description: said(expected, optional),
    schema: { type },
  };
}

/**
 * Adds to the description of an optional parameter that it may be left out. No parameter is
 * `required`, because a token may stand elsewhere, and an answer says which parameter is missing.
 */
function said(expected: string, optional: boolean): string {
  return `${expected}${optional ? "; may be left out" : ""}`;
}

function form(parameters: readonly Parameter[]): Described {
  const properties = Object.fromEntries(
    parameters.map(({ name, type, expected, optional }) => [
      name,
      {
        ...(type === "file" ? { contentMediaType: "application/octet-stream" } : { type }),
        description: said(expected, optional),
      },
    ]),
  );
  const schema = { type: "object", properties };
  const hasFile = parameters.some(({ type }) => type === "file");
  return {
    ...(hasFile ? {} : { "application/x-www-form-urlencoded": { schema } }),
    "multipart/form-data": { schema },
  };
}

/** Describes the JSON of the answer to an action: the received parameters, and the result. */
function answerOf({ name, parameters, result }: ActionDescription): Described {
  const echo = { description: "The parameter, as it was received; *** stands for a token." };
  const debug = { Firmware: { type: "string" }, DurationMs: { type: "integer" } };
  return object({
    ...Object.fromEntries(parameters.map((parameter) => [parameter.name, echo])),
    ...result.properties,
    Action: { const: name },
    Debug: object(debug, ["DurationMs"]),
    Error: {
      type: "string",
      description: "The fault of the request; with it, nothing has changed.",
    },
    Durable: { const: false, description: "The change is in force, but not on the medium." },
    Deprecated: { const: true },
  }, ["Action", "Debug"]);
}

function fileOf({ answers }: ActionDescription): Described {
  return answers === JSON_MEDIA ? {} : { [answers]: {} };
}
