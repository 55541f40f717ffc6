/**
 * Makes one module of a source and all that it imports, by esbuild. `deno info` says where Deno
 * keeps the packages, of the versions in the lock, and fetches missing packages.
 *
 * @module
 */
import { isBuiltin } from "node:module";
import * as esbuild from "esbuild";

/**
 * Options of esbuild, and the files that name the packages, by their paths from the root folder.
 */
export interface BundleOptions extends esbuild.BuildOptions {
  /** The configuration with the import map and the compiler options. */
  readonly config?: string;
  readonly lock?: string;
}

/** A bundle. */
export interface Bundle {
  readonly code: string;
  /** The source map, if it was requested. */
  readonly map: string | undefined;
  /** The metafile of esbuild: the sources of the bundle, and their sizes. */
  readonly metafile: esbuild.Metafile;
}

/** A package, as `deno info` describes it. */
interface Package {
  readonly name: string;
  readonly version: string;
  readonly dependencies: readonly string[];
  readonly localPath: string;
}

type Imports = Readonly<Record<string, string>>;

/** Matches the specifier of a package, for example "npm:/preact@11.2.0/hooks". */
const NPM = /^npm:\/?(?<name>(?:@[^/]+\/)?[^@/]+)@(?<version>[^/]+)(?<path>.*)$/;

/** Marks the names that this plugin asks esbuild itself to resolve. */
const RESOLVING = {};

const root = new URL("../", import.meta.url).pathname;

/**
 * Has esbuild take libsodium in its CommonJS form, which also runs without WebAssembly: Workers do
 * not compile it.
 */
export const sodiumForWorkers: esbuild.Plugin = {
  name: "libsodium for Workers",
  setup(build) {
    // Without these names libsodium would read `location`, which Workers do not have.
    build.initialOptions.define = { __filename: '""', __dirname: '""' };
    build.onResolve(
      { filter: /^libsodium-wrappers$/ },
      ({ path, kind, importer, resolveDir }) =>
        kind === "require-call"
          ? undefined
          : build.resolve(path, { kind: "require-call", importer, resolveDir }),
    );
  },
};

/**
 * Returns the options of esbuild that bundle a source, named by its path from the root folder, as a
 * module for any runtime.
 */
export async function bundling(
  entry: string,
  { config = "deno.json", lock = "deno.lock", plugins = [], ...options }: BundleOptions = {},
) {
  const { imports, compilerOptions } = JSON.parse(await Deno.readTextFile(`${root}${config}`));
  const packages = await packagesOf(entry, config, lock);
  return {
    absWorkingDir: root,
    entryPoints: [entry],
    ...(options.outdir === undefined ? { outfile: "out.js" } : {}),
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    logLevel: "silent",
    tsconfigRaw: { compilerOptions },
    plugins: [...plugins, packagesFrom(packages, imports)],
    ...options,
  } satisfies esbuild.BuildOptions;
}

/** Bundles a source. */
export async function bundled(entry: string, options?: BundleOptions): Promise<Bundle> {
  try {
    const { outputFiles, metafile } = await esbuild.build(await bundling(entry, options));
    const text = (ending: string) => outputFiles!.find(({ path }) => path.endsWith(ending))?.text;
    return { code: text(".js")!, map: text(".js.map"), metafile: metafile! };
  } finally {
    await esbuild.stop();
  }
}

/** Returns the packages of a source. Throws if one is missing and cannot be fetched. */
async function packagesOf(entry: string, config: string, lock: string): Promise<Package[]> {
  // The import map alone: a configuration may also name packages of types, which nothing runs.
  const from = ["--no-config", "--import-map", config, "--lock", lock, "--frozen"];
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", ...from, entry],
    cwd: root,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return Object.values(JSON.parse(new TextDecoder().decode(stdout)).npmPackages);
}

/**
 * Resolves names of packages: in our sources by the import map, in a package by its dependencies.
 */
function packagesFrom(packages: readonly Package[], imports: Imports): esbuild.Plugin {
  const setup = (build: esbuild.PluginBuild) => {
    build.onResolve({ filter: /^[^./]/ }, ({ path, importer, kind, pluginData }) => {
      if (pluginData === RESOLVING || kind === "entry-point") return;
      const within = packages.find(({ localPath }) => importer.startsWith(`${localPath}/`));
      // A module has no `require`; a package uses it to load a part of Node.
      if (kind === "require-call" && isBuiltin(path)) return { path, namespace: "builtin" };
      if (path.startsWith("node:")) return { external: true };
      const [found, inside] = within
        ? dependencyOf(packages, within, path)
        : imported(packages, imports, path);
      return resolved(build, found, inside, kind);
    });
    build.onLoad({ filter: /^/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule("${path}")`,
    }));
  };
  return { name: "packages", setup };
}

/** Returns the package that a source of ours imports by this name, and the path in it. */
function imported(packages: readonly Package[], imports: Imports, written: string) {
  const key =
    Object.keys(imports).filter((key) =>
      key === written || key.endsWith("/") && written.startsWith(key)
    ).toSorted((a, b) => b.length - a.length)[0];
  const target = key === undefined ? written : imports[key] + written.slice(key.length);
  const { name, version, path } = NPM.exec(target)?.groups ?? {};
  const found = packages.find((one) => one.name === name && one.version === version);
  return [found, path ?? ""] as const;
}

/** Returns the package that a package imports by this name, and the path in it. */
function dependencyOf(packages: readonly Package[], within: Package, written: string) {
  const [, name, path] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(written)!;
  // Some packages import themselves by their name.
  const ids = [...within.dependencies, `${within.name}@${within.version}`];
  const found = packages.find((one) =>
    one.name === name && ids.some((id) => id.startsWith(`${name}@${one.version}`))
  );
  return [found, path!] as const;
}

/** Has esbuild resolve a path of a package by its exports, or, if it has none, by its files. */
async function resolved(
  build: esbuild.PluginBuild,
  found: Package | undefined,
  path: string,
  kind: esbuild.ImportKind,
) {
  if (found === undefined) return;
  const options = { resolveDir: found.localPath, kind, pluginData: RESOLVING };
  const byExports = await build.resolve(`${found.name}${path}`, options);
  return byExports.errors.length === 0 ? byExports : build.resolve(`.${path || "/"}`, options);
}
