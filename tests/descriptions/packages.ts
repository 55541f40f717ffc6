/**
 * The tools that others read published descriptions with. With all that they bring they are 100 MB
 * unpacked: so they have a lock of their own, and are named so that `task check`, which every
 * `task test` runs, does not see them, and downloads none of them.
 *
 * @module
 */
import type { Json } from "../service.ts";

/** What a generated client is made with; it imports this itself. */
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
