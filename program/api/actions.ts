/**
 * The REST actions, as they are published.
 *
 * @module
 */
import * as v from "valibot";
import { actions } from "../../transport/action-api/actions.ts";
import { jsonSchema } from "./json-schema.ts";

/** The media type of most answers. */
export const JSON_MEDIA = "application/json";

/** Describes every REST action. */
export function describeActions() {
  return [...actions.values()].map((action) => {
    const { name, summary, methods, parameters, token, deprecated = false } = action;
    const { media = JSON_MEDIA, result = {} } = action;
    return {
      name,
      summary,
      methods,
      parameters: [
        ...Object.entries(parameters).map(([name, reader]) => {
          const { expected, optional = false, integer = false, file = false } = reader;
          return { name, type: typeOf(integer, file), expected, optional };
        }),
        {
          name: "Token",
          type: "string",
          expected: "the token of a user",
          optional: token === "optional",
        },
      ],
      answers: media,
      result: jsonSchema(v.partial(v.object(result))),
      deprecated,
    };
  });
}

function typeOf(integer: boolean, file: boolean): "integer" | "file" | "string" {
  if (integer) return "integer";
  return file ? "file" : "string";
}
