/**
 * `faderd api`, `faderd config schema` and `faderd settings schema`: the interfaces and documents
 * as data, from the schemas that validate them.
 *
 * @module
 */
import { settingsSchemas } from "../core/settings/settings.ts";
import { describeInterfaces } from "./api/api.ts";
import { describeAsyncApi } from "./api/asyncapi.ts";
import { describeConfiguration } from "./api/configuration.ts";
import { DIALECT, jsonSchema } from "./api/json-schema.ts";
import { describeOpenApi } from "./api/openapi.ts";
import { describeWebSocket } from "./api/websocket.ts";
import { misuse } from "./failure.ts";
import { printJson } from "./print.ts";

/** The forms in which `faderd api` prints, by their options. */
const forms = {
  openapi: describeOpenApi,
  asyncapi: describeAsyncApi,
  websocket: describeWebSocket,
};

/** The option of a form. */
export type Form = keyof typeof forms;

/**
 * Prints every interface as JSON in faderd's own form; or, on request, the interfaces over HTTP as
 * OpenAPI, or the messages over WebSocket as AsyncAPI or as JSON Schemas.
 */
export function printApi(isAsked: (form: Form) => boolean): void {
  const [form, other] = (Object.keys(forms) as Form[]).filter(isAsked);
  if (other !== undefined) {
    throw misuse(
      "expected one of --openapi, --asyncapi and --websocket, got both " +
        `--${form} and --${other}`,
    );
  }
  printJson(form === undefined ? describeInterfaces() : forms[form]());
}

/** Prints the JSON Schema of configuration files. */
export function printConfigurationSchema(): void {
  printJson(describeConfiguration());
}

/** Prints the JSON Schema of each settings document, by the tag of its backup. */
export function printSettingsSchemas(): void {
  const schemas = Object.entries(settingsSchemas);
  const described = schemas.map(([tag, schema]) =>
    [tag, { $schema: DIALECT, ...jsonSchema(schema) }] as const
  );
  printJson(Object.fromEntries(described));
}
