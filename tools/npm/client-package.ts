/**
 * The package `faderd-client`: the client in one file, with its types, and the sources that the maps
 * of both name. It needs no other package.
 *
 * @module
 */
import { basename } from "node:path";
import type { Metafile } from "esbuild";
import { bundled } from "../esbuild.ts";
import { componentsOf } from "../notices/notices.ts";
import { library } from "./library-package.ts";
import { packageFolder, root, writeManifest } from "./places.ts";
import { rpcTypes } from "./rpc-types.ts";

/** The folder of the package. */
export const client: URL = packageFolder("faderd-client");

const types = new URL("types/", client);
const sources = new URL("src/", client);
const ENTRY = "client/client";
/** The module whose types are written out. */
const RPCS = "client/rpcs.d.ts";

/** Makes the package from the package of the library, which still has the maps of its types. */
export async function makeClient(): Promise<void> {
  await makeTypes();
  const metafile = await makeScript();
  await writeManifest(
    client,
    {
      name: "faderd-client",
      description: "A typed client of the control protocol of an audio mixing console",
      sideEffects: false,
      exports: {
        ".": { types: `./types/${ENTRY}.d.ts`, default: "./client.js" },
        "./package.json": "./package.json",
      },
    },
    new URL("tools/npm/client/README.md", root),
    await componentsOf(metafile),
  );
}

/** Takes the types that the client needs from the package of the library, with their maps. */
async function makeTypes(): Promise<void> {
  const used = new Set<string>();
  await collect(`${ENTRY}.d.ts`, used);
  for (const declarations of used) {
    const copy = new URL(declarations, types);
    await Deno.mkdir(new URL(".", copy), { recursive: true });
    if (declarations === RPCS) {
      await Deno.writeTextFile(copy, await rpcTypes(library));
      continue;
    }
    await Deno.copyFile(new URL(declarations, library), copy);
    const map = JSON.parse(await Deno.readTextFile(new URL(`${declarations}.map`, library)));
    map.sources = [await keepSource(declarations)];
    await Deno.writeTextFile(`${copy.pathname}.map`, JSON.stringify(map));
  }
}

/** Collects the paths of declarations, and of all that they import. */
async function collect(declarations: string, used: Set<string>): Promise<void> {
  if (used.has(declarations)) return;
  used.add(declarations);
  // Its other imports are only needed to derive the types, which are written out.
  const text = declarations === RPCS
    ? 'import type { Branch } from "../core/tree/tree.js";'
    : await Deno.readTextFile(new URL(declarations, library));
  for (const [, written] of text.matchAll(/^(?:import|export) [^;]*?from "(\.[^"]+)\.js"/gm)) {
    const file = new URL(`${written}.d.ts`, new URL(declarations, library));
    await collect(file.pathname.slice(library.pathname.length), used);
  }
}

/**
 * Copies the source of declarations; returns the path of the copy, relative to the declarations.
 */
async function keepSource(declarations: string): Promise<string> {
  const source = declarations.replace(/\.d\.ts$/, ".ts");
  await copySource(source);
  return `${"../".repeat(source.split("/").length)}src/${source}`;
}

async function copySource(source: string): Promise<void> {
  const copy = new URL(source, sources);
  await Deno.mkdir(new URL(".", copy), { recursive: true });
  await Deno.copyFile(new URL(source, root), copy);
}

/** Writes the script; returns the metafile of esbuild. */
async function makeScript(): Promise<Metafile> {
  const output = new URL("client.js", client);
  const { code, map, metafile } = await bundled(`${ENTRY}.ts`, {
    target: "es2022",
    // Names stay, for stack traces that are read without the map.
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: "linked",
    sourcesContent: false,
    sourceRoot: "",
    outfile: output.pathname,
  });
  const read = JSON.parse(map!);
  read.sources = read.sources.map((path: string) => {
    const source = new URL(path, output).pathname.slice(root.pathname.length);
    return `./src/${source}`;
  });
  for (const source of read.sources) await copySource(source.slice("./src/".length));
  await Deno.writeTextFile(output, code);
  await Deno.writeTextFile(
    `${output.pathname}.map`,
    JSON.stringify({ ...read, file: basename(output.pathname) }),
  );
  return metafile;
}
