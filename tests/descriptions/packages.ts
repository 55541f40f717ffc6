/**
 * Foreign tools that read published descriptions. With their dependencies they are 100 MB unpacked:
 * so they have a lock of their own, and are named so that `task check`, which every `task test`
 * runs, does not see them, and downloads none of them.
 *
 * @module
 */
import type { Json } from "../service.ts";

/** The library that a generated client imports. */
export const FETCH = "npm:openapi-fetch@0.17.0";

const load = (name: string): Promise<Json> => import(name);

const [core, ruleset, asyncApi, types] = await Promise.all([
  load("npm:@stoplight/spectral-core@1.24.1"),
  load("npm:@stoplight/spectral-rulesets@1.23.1"),
  load("npm:@asyncapi/parser@3.6.3"),
  load("npm:openapi-typescript@7.13.0"),
  // So that the lock has it.
  load(FETCH),
]);

export const { Spectral } = core.default;
export const { oas } = ruleset.default;
export const { Parser } = asyncApi;

/** Makes the types of a client from an OpenAPI document. */
export async function typesOf(document: Json): Promise<string> {
  return types.astToString(await types.default(document));
}
