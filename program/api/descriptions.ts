/**
 * Every published description as a file: `task view` puts them among the files that the service
 * serves, `task npm` and `task deb` into the packages.
 *
 * @module
 */
import { describeInterfaces } from "./api.ts";
import { describeAsyncApi } from "./asyncapi.ts";
import { describeConfiguration } from "./configuration.ts";
import { describeOpenApi } from "./openapi.ts";
import { describeWebSocket } from "./websocket.ts";

/** Returns the text of each file, by its name. */
export function descriptions(): ReadonlyMap<string, string> {
  const described = {
    "api.json": describeInterfaces(),
    "openapi.json": describeOpenApi(),
    "asyncapi.json": describeAsyncApi(),
    "websocket.json": describeWebSocket(),
    "configuration.json": describeConfiguration(),
  };
  return new Map(
    Object.entries(described).map(([name, value]) => [name, `${JSON.stringify(value)}\n`]),
  );
}
