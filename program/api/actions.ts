/**
 * The published description of the REST actions.
 *
 * @module
 */
import type { JsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import type { ParametersSchema } from "../../transport/parameters.ts";
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
        ...describeParameters(parameters),
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

function describeParameters(parameters: ParametersSchema) {
  const { properties = {}, required = [] } = jsonSchema(parameters);
  return Object.entries(properties as Readonly<Record<string, JsonSchema>>)
    .map(([name, { type, description = "", contentMediaType }]) => ({
      name,
      type: contentMediaType === undefined ? type : "file",
      expected: description,
      optional: !required.includes(name),
    }));
}
