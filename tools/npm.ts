/**
 * Makes the npm packages in `dist/npm/`, checks them, prints their sizes, and packs them in
 * `dist/`: `deno task npm`. `faderd-client` is the client alone, `faderd` the library and the
 * service for Node, `faderd-service` the program.
 *
 * @module
 */
import * as esbuild from "esbuild";
import { print } from "../program/print.ts";
import manifest from "../deno.json" with { type: "json" };
import { client, makeClient } from "./npm/client-package.ts";
import { installTools } from "./npm/compile.ts";
import { dropMaps, library, makeLibrary } from "./npm/library-package.ts";
import { dist, packages, root } from "./npm/places.ts";
import { makeService, service } from "./npm/service-package.ts";
import { run } from "./run.ts";

/** Maximum size in bytes of each of the smallest programs, bundled, minified and packed by gzip. */
const BUDGETS = { "the example of mod.ts": 32 * 1024, "the client": 5 * 1024 };

/**
 * Maximum size in bytes of the script of the client, as it is installed. The packed package is
 * larger: of its 49 KB the script takes 5, the types 17, the maps 11, and the sources that the maps
 * name the rest. Without maps and sources it would have 23.
 */
const CLIENT_BYTES = 20 * 1024;

const CHECK_SBOM = new URL("notices/check-sbom.mjs", import.meta.url);

if (import.meta.main) {
  await Deno.remove(packages, { recursive: true }).catch(() => {});
  await Deno.mkdir(packages, { recursive: true });
  await installTools();
  // One after the other: two concurrent bundles would end esbuild for each other.
  await makeLibrary();
  await makeClient();
  await dropMaps();
  await makeService();
  await measure();
  await Promise.all([client, library, service].map(lookOver));
}

/**
 * Packs a package, and prints its sizes; fails if `publint` or `attw` find a fault, or if the
 * schema of CycloneDX refuses its bill of materials.
 */
async function lookOver(folder: URL): Promise<void> {
  const name = folder.pathname.split("/").at(-2)!;
  const packed = `${name}-${manifest.version}.tgz`;
  const said = await run(
    "npm",
    ["pack", "--json", "--pack-destination", dist.pathname, "."],
    folder,
  );
  const [{ size, unpackedSize }] = JSON.parse(said);
  print(`dist/${packed}: ${size} bytes, ${unpackedSize} unpacked`);
  await run("npx", ["publint", "--strict", folder.pathname], dist);
  // A program that nobody imports has no types to check.
  if (folder !== service) await run("npx", ["attw", packed, "--profile", "esm-only"], dist);
  await run("node", [CHECK_SBOM.pathname, new URL("sbom.cdx.json", folder).pathname], dist);
  await run("npm", ["publish", "--dry-run", "--provenance=false"], folder);
}

/**
 * Prints the sizes of the smallest programs and of the script of the client; fails if one is too
 * large.
 */
async function measure(): Promise<void> {
  const text = await Deno.readTextFile(new URL("mod.ts", root));
  const example = /```ts\n(.*?)```/s.exec(text)![1]!.replaceAll(/^ \* ?/gm, "");
  const programs = {
    "the example of mod.ts": example.replaceAll('"faderd"', '"./npm/faderd/mod.js"'),
    "the client": 'export { connect } from "./npm/faderd-client/client.js";',
  };
  for (const [what, program] of Object.entries(programs)) {
    const { outputFiles } = await esbuild.build({
      stdin: { contents: program, loader: "ts", resolveDir: dist.pathname },
      bundle: true,
      minify: true,
      format: "esm",
      external: ["node:*"],
      write: false,
    });
    const packed = new Blob([outputFiles[0]!.text]).stream().pipeThrough(
      new CompressionStream("gzip"),
    );
    const { size } = await new Response(packed).blob();
    const most = BUDGETS[what as keyof typeof BUDGETS];
    print(`${what} alone: ${size} bytes packed, of at most ${most}`);
    if (size > most) throw new Error(`${what} is too large`);
  }
  await esbuild.stop();
  const { size } = await Deno.stat(new URL("client.js", client));
  print(`the script of the client: ${size} bytes, of at most ${CLIENT_BYTES}`);
  if (size > CLIENT_BYTES) throw new Error("the script of the client is too large");
}
