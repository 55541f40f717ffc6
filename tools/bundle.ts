/**
 * Makes two files of the service: `deno task bundle`. `dist/faderd.js` is all of it, with the device
 * view, which `--no-view` leaves out; `dist/libsodium.js` beside it is loaded on first use. They
 * need Deno and nothing else. The source map beside them, by which Deno names the sources in stack
 * traces, may be left out.
 *
 * What a bundle has otherwise than the sources is put in by a plugin of esbuild.
 *
 * @module
 */
import type { Plugin } from "esbuild";
import type { ViewFile } from "../transport/view.ts";
import { print } from "../program/print.ts";
import { DESCRIPTIONS_PATH, readFleetPage, readView } from "../program/view-files.ts";
import manifest from "../deno.json" with { type: "json" };
import { type Bundle, bundled } from "./esbuild.ts";

/** The arguments of Deno that stand before the name of the bundle: `run`, and the flags of the tasks. */
export const FLAGS: readonly string[] = [
  ...manifest.tasks.faderd.command.split(" ").slice(1, -1),
  ...manifest.unstable.map((name) => `--unstable-${name}`),
  "--no-config",
  "--no-lock",
];

/** The number of sources that are listed, the largest first. */
const LISTED = 12;

/** Where libsodium stands, beside the bundle: inside it would take 1 MB of memory unused. */
const SODIUM = "libsodium.js";

/** The sources that import others on first use; what backups import stays so. */
const IMPORTS_LATE = /\/program\/(commands|listeners|serve)\.ts$/;

const root = new URL("../", import.meta.url);

if (import.meta.main) {
  const output = new URL("dist/faderd.js", root);
  say(await bundle(output, !Deno.args.includes("--no-view")));
}

/**
 * Makes the bundle and, beside it, its source map and libsodium. Returns how many bytes of it come
 * from each source.
 */
export async function bundle(output: URL, isViewIn = true): Promise<Bundle["bytesOf"]> {
  const { code, map, bytesOf } = await bundled("main.ts", {
    minify: true,
    sourcemap: "linked",
    outfile: output.pathname,
    plugins: [replacing(isViewIn)],
  });
  await Deno.mkdir(new URL(".", output), { recursive: true });
  await Deno.writeTextFile(output, code);
  await Deno.writeTextFile(`${output.pathname}.map`, map!);
  const sodium = await bundled("core/sodium.ts", { minify: true });
  await Deno.writeTextFile(new URL(SODIUM, output), sodium.code);
  return bytesOf;
}

/**
 * Puts other contents in place of two sources, and a file beside the bundle in place of a third.
 */
function replacing(isViewIn: boolean): Plugin {
  const view = isViewIn
    ? viewAsSource()
    : "export function readView() {} export function readFleetPage() {}";
  // The program asks it for nothing else.
  const { version, engines } = manifest;
  return {
    name: "replacing",
    setup(build) {
      build.onResolve({ filter: /\/sodium\.ts$/ }, () => ({
        path: `./${SODIUM}`,
        external: true,
      }));
      build.onLoad({ filter: IMPORTS_LATE }, async ({ path }) => ({
        contents: atStart(await Deno.readTextFile(path)),
        loader: "ts",
      }));
      build.onLoad({ filter: /\/program\/view-files\.ts$/ }, () => ({ contents: view }));
      build.onLoad({ filter: /\/deno\.json$/ }, () => ({
        contents: JSON.stringify({ version, engines }),
        loader: "json",
      }));
    },
  };
}

/**
 * Has a source import at its start what it imports on first use. In one file, which Deno reads as a
 * whole, that saves little, and whatever may be needed on first use would have to be in a function:
 * 18 KB, 0.2 MB of memory and 14 ms of each start. Evaluating Ember+ and ECP, which are off, takes
 * 0.14 MB of the heap.
 */
function atStart(source: string): string {
  const modules: string[] = [];
  const code = source.replaceAll(/await import\(("\.\.?\/[^"]+")\)/g, (_, module) => {
    modules.push(module);
    return `imported${modules.length}`;
  });
  // Behind the code, so that lines stay where they are.
  return code + modules.map((one, at) => `import * as imported${at + 1} from ${one};`).join("\n");
}

/** Stands in the bundle for `program/view-files.ts`: the same function, with the files. */
function viewAsSource(): string {
  const view = readView();
  if (view === undefined) throw new Error("the device view has not been made: run deno task view");
  const isDescription = ([path]: readonly [string, ViewFile]) => path.startsWith(DESCRIPTIONS_PATH);
  const inText = ([path, { gzip, brotli, ...file }]: readonly [string, ViewFile]) => [
    path,
    { ...file, gzip: gzip.toBase64(), brotli: brotli!.toBase64() },
  ];
  const files = [...view].filter((entry) => !isDescription(entry)).map(inText);
  const fleet = [...readFleetPage()!].map(inText);
  const descriptions = [...view].filter(isDescription);
  const listed = descriptions.map(([path, { gzip: _, ...file }]) => [path, file]);
  const packed = descriptions.map(([path, { gzip }]) => [path, gzip.toBase64()]);
  // A start with --no-view holds only the text of these functions in memory, and one with the view
  // only the text of the second until a description is asked for.
  return `export function readView() {
    const files = ${JSON.stringify(files)};
    const descriptions = ${JSON.stringify(listed)};
    return new Map([
      ...files.map(unpacked),
      ...descriptions.map(([path, file]) => [path, {
        ...file,
        get gzip() { return Uint8Array.fromBase64(packed(path)); },
      }]),
    ]);
  }
  export function readFleetPage() {
    return new Map(${JSON.stringify(fleet)}.map(unpacked));
  }
  function unpacked([path, { gzip, brotli, ...file }]) {
    return [path, {
      ...file,
      gzip: Uint8Array.fromBase64(gzip),
      brotli: Uint8Array.fromBase64(brotli),
    }];
  }
  function packed(path) {
    return ${JSON.stringify(Object.fromEntries(packed))}[path];
  }`;
}

/** Prints how large a bundle is, and of what. */
function say(bytesOf: Bundle["bytesOf"]): void {
  for (const [source, bytes] of [...bytesOf].sort(([, a], [, b]) => b - a).slice(0, LISTED)) {
    print(`${String(bytes).padStart(8)}  ${source.replace(/^.*\/registry\.npmjs\.org\//, "npm:")}`);
  }
  const size = [...bytesOf.values()].reduce((sum, bytes) => sum + bytes, 0);
  const view = bytesOf.get("program/view-files.ts") ?? 0;
  print(`dist/faderd.js: ${size} bytes, without the view ${size - view}`);
}
