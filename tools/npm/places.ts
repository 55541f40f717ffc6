/**
 * The folders of the npm packages, and the common members of their manifests.
 *
 * @module
 */
import manifest from "../../deno.json" with { type: "json" };
import { type Component, writeNotices } from "../notices/notices.ts";

/** The folder of the sources. */
export const root = new URL("../../", import.meta.url);
/** The folder of all built files. */
export const dist = new URL("dist/", root);
/** The folder of the packages. */
export const packages = new URL("npm/", dist);

/** Returns the folder of the package with this name, in {@link packages}. */
export function packageFolder(name: string): URL {
  return new URL(`${name}/`, packages);
}

/**
 * Writes the files that each package has: its manifest with `members`, the licence, its page, and
 * the notices and the SBOM of the third-party software in it.
 */
export async function writeManifest(
  folder: URL,
  members: Readonly<Record<string, unknown>> & { readonly name: string },
  page: URL,
  components: readonly Component[],
): Promise<void> {
  const { name, ...others } = members;
  const type = "bin" in members ? "application" : "library";
  const made = {
    name,
    version: manifest.version,
    license: manifest.license,
    type: "module",
    ...others,
    publishConfig: { access: "public", provenance: true },
  };
  await Deno.writeTextFile(new URL("package.json", folder), `${JSON.stringify(made, null, 2)}\n`);
  await Deno.copyFile(new URL("LICENSE", root), new URL("LICENSE", folder));
  await Deno.copyFile(page, new URL("README.md", folder));
  await writeNotices(folder, { name, type }, components);
}

/** Yields all files in a folder and in the folders below it. */
export async function* filesIn(folder: URL): AsyncGenerator<URL> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* filesIn(new URL(`${name}/`, folder));
    else yield new URL(name, folder);
  }
}
