/**
 * Compiles the library for npm, file by file, by `tsc`, which makes the types in the same step,
 * with the types of Node 20: the use of an API that Node 20 lacks is a type error.
 *
 * @module
 */
import manifest from "../../deno.json" with { type: "json" };
import { run } from "../run.ts";
import { dist, filesIn, root } from "./places.ts";

/** Tools of this task alone: a program that runs or imports faderd never loads them. */
const TOOLS = {
  "@arethetypeswrong/cli": "0.18.5",
  "@cyclonedx/cyclonedx-library": "10.3.0",
  "@types/node": "20.19.25",
  "ajv": "8.20.0",
  "ajv-formats": "3.0.1",
  "ajv-formats-draft2019": "1.6.1",
  "publint": "0.3.25",
  "typescript": "7.0.2",
  // The last version with a programming interface.
  "typescript-api": "npm:typescript@5.9.3",
};

/** The package that is imported as #libsodium, because Workers have it in another form. */
export const SODIUM = "libsodium-wrappers";

/** The exports of the library, and the source of each. */
export const ENTRIES = {
  ".": "mod",
  "./client": "client/client",
  "./node": "runtimes/node/node",
  "./worker": "runtimes/worker/worker",
};

/** The packages that the sources import, with their versions, by their names in the import map. */
export function packages(): Map<string, { readonly name: string; readonly version: string }> {
  const found = Object.entries(manifest.imports).map(([written, target]) => {
    const [, name, version] = /^npm:\/?((?:@[^/]+\/)?[^@/]+)@([^/]+)/.exec(target)!;
    return [written, { name: name!, version: version! }] as const;
  });
  return new Map(found);
}

/** Installs the packages of the sources, and the tools, in `dist/`. */
export async function installTools(): Promise<void> {
  const sources = [...packages().values()].map(({ name, version }) => [name, version]);
  const devDependencies = { ...Object.fromEntries(sources), ...TOOLS };
  const made = JSON.stringify({ private: true, type: "module", devDependencies });
  await Deno.writeTextFile(new URL("package.json", dist), made);
  await run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--no-package-lock"], dist);
}

/** Compiles sources, and all that they import, with their types, into a folder. */
export async function compile(out: URL, entries: readonly string[]): Promise<void> {
  const options = {
    outDir: out.pathname,
    rootDir: root.pathname,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2023", "es2024.string", "dom"],
    declaration: true,
    declarationMap: true,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
    ...manifest.compilerOptions,
    // `task check` checks the types of all packages, and all strict options.
    strict: true,
    noImplicitAny: false,
    skipLibCheck: true,
    typeRoots: [new URL("node_modules/@types", dist).pathname],
    types: ["node"],
    // There is no `node_modules` beside the sources.
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
  const files = entries.map((entry) => new URL(`${entry}.ts`, root).pathname);
  const config = new URL("tsconfig.json", dist);
  await Deno.writeTextFile(config, JSON.stringify({ compilerOptions: options, files }));
  await run("npx", ["tsc", "--project", config.pathname], dist);
  for await (const file of filesIn(out)) {
    if (file.pathname.endsWith(".map")) continue;
    await Deno.writeTextFile(file, forNpm(await Deno.readTextFile(file)));
  }
}

/**
 * Returns a specifier as npm has it: "deno-std/bytes/concat.js" of
 * "npm:deno-std@1.4.0/bytes/concat.js".
 */
function fromNpm(target: string): string {
  return target.replace(/^npm:\/?((?:@[^/]+\/)?[^@/]+)@[^/]+/, "$1");
}

/** Returns a compiled file with the names of packages and files as npm has them. */
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
