/**
 * What stands under `docs/api/`: a copy of every published description, so that a change of what
 * the service promises is seen where changes are read.
 *
 * @module
 */
import { describeInterfaces } from "../program/api/api.ts";
import { describeConfiguration } from "../program/api/configuration.ts";
import { describeOpenApi } from "../program/api/openapi.ts";
import { describeWebSocket } from "../program/api/websocket.ts";

/** The text of each file, by its name. */
export function descriptions(): ReadonlyMap<string, string> {
  const described = {
    "api.json": describeInterfaces(),
    "openapi.json": describeOpenApi(),
    "websocket.json": describeWebSocket(),
    "configuration.json": describeConfiguration(),
  };
  return new Map(
    Object.entries(described).map(([name, value]) => [name, `${JSON.stringify(value, null, 2)}\n`]),
  );
}

if (import.meta.main) {
  const folder = new URL("../docs/api/", import.meta.url);
  for (const [name, text] of descriptions()) Deno.writeTextFileSync(new URL(name, folder), text);
}
