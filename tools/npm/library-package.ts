/**
 * The package `faderd`: the library and the service for Node, compiled file by file, so that a
 * bundler leaves out unused files.
 *
 * @module
 */
import * as esbuild from "esbuild";
import { descriptions } from "../../program/api/descriptions.ts";
import { sodiumForWorkers } from "../esbuild.ts";
import { type Component, componentsOf } from "../notices/notices.ts";
import { compile, ENTRIES, packages, SODIUM } from "./compile.ts";
import { dist, filesIn, packageFolder, root, writeManifest } from "./places.ts";

/** Finds the package of each import in a compiled file. */
const IMPORTED = /(?:\bfrom |\bimport\(|\bimport )"((?:@[^/"]+\/)?[^."/][^"/]*)/g;

const SODIUM_FOR_WORKERS = "./worker/libsodium.js";

/** The folder of the package. */
export const library: URL = packageFolder("faderd");

/** Makes the package; the maps of its types are for {@link dropMaps} to remove. */
export async function makeLibrary(): Promise<void> {
  await compile(library, Object.values(ENTRIES));
  await writePackage(await componentsOf(await bundleSodium()));
}

/** Removes the maps of the types: this package has no sources that they could name. */
export async function dropMaps(): Promise<void> {
  for await (const file of filesIn(library)) {
    if (file.pathname.endsWith(".d.ts.map")) await Deno.remove(file);
    if (!file.pathname.endsWith(".d.ts")) continue;
    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, text.replace(/\/\/# sourceMappingURL=.*\n?$/, ""));
  }
}

/**
 * Makes libsodium for Workers, which no npm package has in a form that bundlers for Workers take;
 * returns the metafile of esbuild.
 */
async function bundleSodium(): Promise<esbuild.Metafile> {
  const { metafile } = await esbuild.build({
    absWorkingDir: root.pathname,
    metafile: true,
    stdin: { contents: `export { default } from "${SODIUM}"`, resolveDir: dist.pathname },
    bundle: true,
    minify: true,
    format: "esm",
    external: ["node:*", "crypto"],
    plugins: [sodiumForWorkers],
    outfile: new URL(SODIUM_FOR_WORKERS, library).pathname,
  });
  return metafile;
}

async function writePackage(components: readonly Component[]): Promise<void> {
  const imported = new Set<string>();
  for await (const file of filesIn(library)) {
    for (const [, name] of (await Deno.readTextFile(file)).matchAll(IMPORTED)) imported.add(name!);
  }
  const used = [...packages().values()].filter(({ name }) =>
    imported.has(name) && name !== "ws" || name === SODIUM
  )
    .map(({ name, version }) => [name, version]);
  const exported = Object.entries(ENTRIES).map(([name, entry]) =>
    [name, { types: `./${entry}.d.ts`, default: `./${entry}.js` }] as const
  );
  await writeManifest(
    library,
    {
      name: "faderd",
      description: "The control service of an audio mixing console for Node, and its library",
      sideEffects: false,
      engines: { node: ">=20" },
      imports: {
        "#libsodium": { workerd: SODIUM_FOR_WORKERS, worker: SODIUM_FOR_WORKERS, default: SODIUM },
      },
      exports: { ...Object.fromEntries(exported), "./package.json": "./package.json" },
      dependencies: Object.fromEntries(used),
      // A program with a server of its own has it already.
      peerDependencies: { ws: "^8.18.0" },
    },
    new URL("tools/npm/README.md", root),
    components,
  );
  await Deno.mkdir(new URL("api/", library));
  for (const [name, text] of descriptions()) {
    await Deno.writeTextFile(new URL(`api/${name}`, library), text);
  }
}
