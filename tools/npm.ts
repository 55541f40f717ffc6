/**
 * Makes the npm package `faderd` in `dist/npm/`, looks it over, and packs it: `deno task npm`.
 *
 * The library is compiled file by file, not made into one: so whoever bundles it leaves out the
 * files that nothing of theirs asks for. `tsc` does that, and makes the types in the same step,
 * with the library of types of Node 20: what Node 20 has not is a type error. The service is one
 * file, as `tools/bundle.ts` makes it, for it is run and never imported.
 *
 * @module
 */
import * as esbuild from "esbuild";
import { descriptions } from "../program/api/descriptions.ts";
import { print } from "../program/print.ts";
import manifest from "../deno.json" with { type: "json" };
import { bundle, FLAGS } from "./bundle.ts";
import { run } from "./run.ts";
import { sodiumForWorkers } from "./esbuild.ts";

/** Tools of this task alone: whoever runs or imports faderd never has them. */
const TOOLS = {
  "@arethetypeswrong/cli": "0.18.5",
  "@types/node": "20.19.25",
  "publint": "0.3.25",
  "typescript": "7.0.2",
};

/** The runtime of the service: the last Deno that npm has for x86-64 and for ARM64. */
const DENO = "2.9.5";

/** The exports of the package, and the source of each. */
const ENTRIES = {
  ".": "mod",
  "./client": "client/client",
  "./node": "runtimes/node/node",
  "./worker": "runtimes/worker/worker",
};

/**
 * The most that a program with nothing but this may have, in bytes, minified and packed by gzip.
 */
const BUDGETS = { "the example of mod.ts": 31 * 1024, "the client": 5 * 1024 };

/** Finds the package of each import in a compiled file. */
const IMPORTED = /(?:\bfrom |\bimport\(|\bimport )"((?:@[^/"]+\/)?[^."/][^"/]*)/g;

const SODIUM = "libsodium-wrappers";
const SODIUM_FOR_WORKERS = "./worker/libsodium.js";

const root = new URL("../", import.meta.url);
const dist = new URL("dist/", root);
const out = new URL("npm/", dist);

if (import.meta.main) {
  await Deno.remove(out, { recursive: true }).catch(() => {});
  await Deno.mkdir(out, { recursive: true });
  await installTools();
  await compileLibrary();
  await bundleService();
  await bundleSodium();
  await writePackage();
  await lookOver();
  await measure();
  await run("npm", ["pack", "--silent", "--pack-destination", dist.pathname, "./npm"], dist);
  print(`dist/faderd-${manifest.version}.tgz`);
}

/** The packages that the sources import, with their versions, by their names in the import map. */
function packages(): Map<string, { readonly name: string; readonly version: string }> {
  const found = Object.entries(manifest.imports).map(([written, target]) => {
    const [, name, version] = /^npm:\/?((?:@[^/]+\/)?[^@/]+)@([^/]+)/.exec(target)!;
    return [written, { name: name!, version: version! }] as const;
  });
  return new Map(found);
}

async function installTools(): Promise<void> {
  const sources = [...packages().values()].map(({ name, version }) => [name, version]);
  const devDependencies = { ...Object.fromEntries(sources), ...TOOLS };
  const made = JSON.stringify({ private: true, type: "module", devDependencies });
  await Deno.writeTextFile(new URL("package.json", dist), made);
  await run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--no-package-lock"], dist);
}

async function compileLibrary(): Promise<void> {
  const options = {
    outDir: out.pathname,
    rootDir: root.pathname,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2023", "es2024.string", "dom"],
    declaration: true,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
    ...manifest.compilerOptions,
    // Types of all packages, and all that is strict, is what `task check` looks at.
    strict: true,
    noImplicitAny: false,
    skipLibCheck: true,
    typeRoots: [new URL("node_modules/@types", dist).pathname],
    types: ["node"],
    // The sources stand beside no `node_modules`.
    paths: Object.fromEntries(
      Object.entries(manifest.imports).map(([written, target]) => {
        const place = fromNpm(target);
        return written.endsWith("/")
          ? [`${written}*`, [new URL(`node_modules/${place}*`, dist).pathname]]
          : [written, [new URL(`node_modules/${place}`, dist).pathname]];
      }),
    ),
  };
  options.lib.push("dom.iterable", "dom.asynciterable", "esnext.disposable");
  const files = Object.values(ENTRIES).map((entry) => new URL(`${entry}.ts`, root).pathname);
  const config = new URL("tsconfig.json", dist);
  await Deno.writeTextFile(config, JSON.stringify({ compilerOptions: options, files }));
  await run("npx", ["tsc", "--project", config.pathname], dist);
  for await (const file of filesIn(out)) {
    await Deno.writeTextFile(file, forNpm(await Deno.readTextFile(file)));
  }
}

/** "npm:deno-std@1.4.0/bytes/concat.js" as npm says it: "deno-std/bytes/concat.js". */
function fromNpm(target: string): string {
  return target.replace(/^npm:\/?((?:@[^/]+\/)?[^@/]+)@[^/]+/, "$1");
}

/** A compiled file with the names of packages and files as npm has them. */
function forNpm(text: string): string {
  return text.replaceAll(/(\bfrom |\bimport\(|\bimport )"([^"]+)"/g, (_, before, written) => {
    if (written.startsWith(".")) return `${before}"${written.replace(/\.ts$/, ".js")}"`;
    if (written === SODIUM) return `${before}"#libsodium"`;
    const [key, target] = Object.entries(manifest.imports).find(([key]) =>
      key === written || key.endsWith("/") && written.startsWith(key)
    ) ?? ["", ""];
    return `${before}"${fromNpm(target)}${written.slice(key.length)}"`;
  });
}

async function* filesIn(folder: URL): AsyncGenerator<URL> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* filesIn(new URL(`${name}/`, folder));
    else yield new URL(name, folder);
  }
}

async function bundleService(): Promise<void> {
  const service = new URL("bin/service.js", out);
  await bundle(service);
  // Where it is, Deno keeps it in memory.
  await Deno.remove(`${service.pathname}.map`);
  const command = await Deno.readTextFile(new URL("tools/npm/faderd.js", root));
  const made = command.replace("...FLAGS", FLAGS.map((flag) => JSON.stringify(flag)).join(", "));
  await Deno.writeTextFile(new URL("bin/faderd.js", out), made, { mode: 0o755 });
}

/** Makes libsodium for Workers, which no package of npm has in a form that their bundlers take. */
async function bundleSodium(): Promise<void> {
  await esbuild.build({
    stdin: { contents: `export { default } from "${SODIUM}"`, resolveDir: dist.pathname },
    bundle: true,
    minify: true,
    format: "esm",
    external: ["node:*", "crypto"],
    plugins: [sodiumForWorkers],
    outfile: new URL(SODIUM_FOR_WORKERS, out).pathname,
  });
}

async function writePackage(): Promise<void> {
  const imported = new Set<string>();
  for await (const file of filesIn(out)) {
    if (file.pathname.startsWith(`${out.pathname}bin/`)) continue;
    for (const [, name] of (await Deno.readTextFile(file)).matchAll(IMPORTED)) imported.add(name!);
  }
  const used = [...packages().values()].filter(({ name }) =>
    imported.has(name) && name !== "ws" || name === SODIUM
  )
    .map(({ name, version }) => [name, version]);
  const exported = Object.entries(ENTRIES).map(([name, entry]) =>
    [name, { types: `./${entry}.d.ts`, default: `./${entry}.js` }] as const
  );
  const made = {
    name: manifest.name,
    version: manifest.version,
    description: "The control service of an audio mixing console, its library and its client",
    license: manifest.license,
    type: "module",
    sideEffects: false,
    engines: { node: ">=20" },
    bin: { faderd: "bin/faderd.js" },
    imports: {
      "#libsodium": { workerd: SODIUM_FOR_WORKERS, worker: SODIUM_FOR_WORKERS, default: SODIUM },
    },
    exports: { ...Object.fromEntries(exported), "./package.json": "./package.json" },
    dependencies: { ...Object.fromEntries(used), deno: DENO },
    // A program with a server of its own has it already.
    peerDependencies: { ws: "^8.18.0" },
  };
  await Deno.writeTextFile(new URL("package.json", out), `${JSON.stringify(made, null, 2)}\n`);
  await Deno.mkdir(new URL("api/", out));
  for (const [name, text] of descriptions()) {
    await Deno.writeTextFile(new URL(`api/${name}`, out), text);
  }
  await Deno.copyFile(new URL("LICENSE", root), new URL("LICENSE", out));
  await Deno.copyFile(new URL("tools/npm/README.md", root), new URL("README.md", out));
}

/** Fails where `publint` or `attw` find anything. */
async function lookOver(): Promise<void> {
  await run("npx", ["publint", "--strict", "./npm"], dist);
  await run("npx", ["attw", "--pack", "./npm", "--profile", "esm-only"], dist);
}

/** Prints how large the smallest programs are; fails where one is too large. */
async function measure(): Promise<void> {
  const text = await Deno.readTextFile(new URL("mod.ts", root));
  const example = /```ts\n(.*?)```/s.exec(text)![1]!.replaceAll(/^ \* ?/gm, "");
  const programs = {
    "the example of mod.ts": example.replaceAll('"faderd"', '"./npm/mod.js"'),
    "the client": 'export { connect } from "./npm/client/client.js";',
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
}
