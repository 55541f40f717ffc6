/**
 * Configuration files, as they are published: an editor tells by it what each member means.
 *
 * @module
 */
import { configurationSchema } from "../../core/configuration/schema.ts";
import { type Described, DIALECT, jsonSchema } from "./json-schema.ts";

/** Describes a configuration file by a JSON Schema. */
export function describeConfiguration(): Described {
  return { $schema: DIALECT, title: "faderd configuration", ...jsonSchema(configurationSchema) };
}
