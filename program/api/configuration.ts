/**
 * The published description of configuration files, by which an editor explains each member.
 *
 * @module
 */
import { configurationSchema } from "../../core/configuration/schema.ts";
import { type Described, DIALECT, jsonSchema } from "./json-schema.ts";

/** Describes a configuration file by a JSON Schema. */
export function describeConfiguration(): Described {
  return { $schema: DIALECT, title: "faderd configuration", ...jsonSchema(configurationSchema) };
}
