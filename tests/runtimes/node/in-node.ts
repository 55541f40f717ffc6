/**
 * Programs of the tests for Node: each is bundled to one file, in a folder that is removed at the
 * end.
 *
 * @module
 */
import { bundled } from "../../../tools/esbuild.ts";
import { temporaryFolder } from "../../program/faderd.ts";

/** A source as one file for Node 20; the source is named by its path from the root folder. */
export async function forNode(
  source: string,
): Promise<AsyncDisposable & { readonly file: string }> {
  const folder = await temporaryFolder();
  const { code } = await bundled(source, { platform: "node", target: "node20" });
  const file = `${folder.path}/program.mjs`;
  await Deno.writeTextFile(file, code);
  return { file, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}
