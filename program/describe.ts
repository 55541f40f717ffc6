/**
 * `faderd api`, `faderd config schema` and `faderd settings schema`: the interfaces and documents
 * as data, from the schemas that validate them.
 *
 * @module
 */
import { settingsSchemas } from "../core/settings/settings.ts";
import { describeInterfaces } from "./api/api.ts";
import { describeConfiguration } from "./api/configuration.ts";
import { DIALECT, jsonSchema } from "./api/json-schema.ts";
import { describeOpenApi } from "./api/openapi.ts";
import { describeWebSocket } from "./api/websocket.ts";
import { misuse } from "./failure.ts";
import { print } from "./print.ts";

/**
 * Prints every interface as JSON: in a form of its own, as OpenAPI (what is over HTTP), or as JSON
 * Schemas (what is over WebSocket).
 */
export function printApi(asOpenApi: boolean, asWebSocket: boolean): void {
  if (asOpenApi && asWebSocket) throw misuse("expected --openapi or --websocket, got both");
  if (asOpenApi) return printJson(describeOpenApi());
  printJson(asWebSocket ? describeWebSocket() : describeInterfaces());
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

function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}
