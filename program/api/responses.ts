/**
 * The common parts of the operations of the OpenAPI document: their authentication, and their
 * answers.
 *
 * @module
 */
import { JSON_MEDIA } from "./actions.ts";
import { type Described, object } from "./json-schema.ts";

/** How callers authenticate: by a token as `Authorization: Bearer` or in the query, or not at all. */
export const anybody = [{}, { bearer: [] }, { token: [] }];

/** The authentication of actions that require it: their parameter has another name. */
export const ofActions = [{ bearer: [] }, { actionToken: [] }];

/** The body of a refusal. */
export const problem: Described = {
  type: "object",
  properties: {
    error: object({ code: { type: "integer" }, message: { type: "string" } }),
    Error: { type: "string" },
  },
  description: "error, or, for an action, Error: one plain sentence.",
};

const statuses: Readonly<Record<number, string>> = {
  400: "The request is wrong.",
  401: "The token is wrong, or missing.",
  403: "The user, or the page that sent the request, may not do this.",
  404: "There is nothing at this path.",
  405: "The HTTP method is wrong, or the actions are not enabled.",
  408: "The body is incomplete.",
  413: "The body is over its limit.",
  421: "Host is not a name by which the service may be called.",
  423: "Too many actions were asked for; Retry-After says how long to wait.",
  503: "A limit is reached for now; Retry-After says how long to wait.",
  507: "The change could not be stored.",
};

/** Every refusal by its name among the components; `refused` is any of them. */
export const refusals: Described = {
  refused: refusal("The request is refused; the status says why, as at the catch-all path."),
  ...Object.fromEntries(
    Object.entries(statuses).map(([status, description]) => [
      `refused${status}`,
      refusal(description),
    ]),
  ),
};

function refusal(description: string): Described {
  return answered(description, { $ref: "#/components/schemas/problem" });
}

/** Describes how an operation is refused, by statuses. */
export function problems(...codes: readonly number[]): Described {
  return Object.fromEntries(
    codes.map((code) => [code, { $ref: `#/components/responses/refused${code}` }]),
  );
}

/** Describes an answer in JSON. */
export function answered(description: string, schema: Described): Described {
  return { description, content: json(schema) };
}

/** Describes a body in JSON. */
export function json(schema: Described): Described {
  return { [JSON_MEDIA]: { schema } };
}
