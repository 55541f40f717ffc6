/**
 * Makes four files of the service: `deno task bundle`. `dist/faderd.js` is all of it, with the device
 * view, which `--no-view` leaves out; `dist/libsodium.js` beside it is loaded on first use,
 * `dist/hub.js` by `faderd hub` alone, and `dist/hub-nats.js` by a hub that shares its ledger with
 * others. They need Deno and nothing else. The source map beside them, by which Deno names the sources in stack
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

/** Where the hub of a fleet stands, of which a console has nothing. */
const HUB = "hub.js";

/** Where the client of NATS stands, of which a hub by itself has nothing. */
const NATS = "hub-nats.js";

/** Stands for `program/nats-module.ts`. */
const NATS_BESIDE = `export const NATS_MODULE = new URL("${NATS}", import.meta.url).href;`;

/** Stands for `program/view-files.ts` where there is no view. */
const NO_VIEW = "export function readView() {} export function readFleetPage() {}";

/** Has the hub stay where it is: in a file beside the bundle. */
const hubBeside: Plugin = {
  name: "hub beside",
  setup(build) {
    build.onResolve({ filter: /^\.\/hub\.ts$/ }, () => ({ path: `./${HUB}`, external: true }));
  },
};

/** The sources that import others on first use; what backups import stays so. */
const IMPORTS_LATE = /\/program\/(commands|listeners|serve)\.ts$/;

/** The sources that need modules of Node which the service does without. */
const NEEDS_NODE = /\/program\/(shown-certificate|doctor\/space)\.ts$/;

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
    plugins: [replacing(isViewIn ? viewAsSource() : NO_VIEW), hubBeside],
  });
  await Deno.mkdir(new URL(".", output), { recursive: true });
  await Deno.writeTextFile(output, code);
  await Deno.writeTextFile(`${output.pathname}.map`, map!);
  const sodium = await bundled("core/sodium.ts", { minify: true });
  await Deno.writeTextFile(new URL(SODIUM, output), sodium.code);
  const view = isViewIn ? viewAsSource() + fleetPageAsSource() : NO_VIEW;
  const hub = await bundled("program/hub.ts", { minify: true, plugins: [replacing(view)] });
  await Deno.writeTextFile(new URL(HUB, output), hub.code);
  const nats = await bundled("fleet/nats/open.ts", { minify: true, lock: "fleet/nats/deno.lock" });
  await Deno.writeTextFile(new URL(NATS, output), nats.code);
  return bytesOf;
}

/**
 * Puts other contents in place of two sources, of which `view` is that of the view, and a file
 * beside the bundle in place of a third.
 */
function replacing(view: string): Plugin {
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
      build.onLoad({ filter: NEEDS_NODE }, async ({ path }) => ({
        contents: unforeseen(await Deno.readTextFile(path)),
        loader: "ts",
      }));
      build.onLoad({ filter: /\/program\/nats-module\.ts$/ }, () => ({ contents: NATS_BESIDE }));
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
 * 0.14 MB of the heap. The hub is in a file of its own.
 */
function atStart(source: string): string {
  const modules: string[] = [];
  const code = source.replaceAll(/await import\((?!"\.\/hub)("\.\.?\/[^"]+")\)/g, (_, module) => {
    modules.push(module);
    return `imported${modules.length}`;
  });
  // Behind the code, so that lines stay where they are.
  return code + modules.map((one, at) => `import * as imported${at + 1} from ${one};`).join("\n");
}

/**
 * Has a source import modules of Node by names that are put together when they are needed: those
 * that stand in the text Deno loads at the start, and these three take 0.7 MB.
 */
function unforeseen(source: string): string {
  return source.replaceAll(
    /await import\("(\w+):([\w/]+)"\)/g,
    (_, scheme, module) => `await import(["${scheme}", "${module}"].join(":"))`,
  );
}

/** Stands in the bundle for `program/view-files.ts`: the same function, with the files. */
function viewAsSource(): string {
  const view = readView();
  if (view === undefined) throw new Error("the device view has not been made: run deno task view");
  const isDescription = ([path]: readonly [string, ViewFile]) => path.startsWith(DESCRIPTIONS_PATH);
  const files = [...view].filter((entry) => !isDescription(entry)).map(inText);
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

/** Stands behind it where the page of a hub is in the bundle, too. */
function fleetPageAsSource(): string {
  return `export function readFleetPage() {
    return new Map(${JSON.stringify([...readFleetPage()!].map(inText))}.map(unpacked));
  }`;
}

/** A file of a view, with its contents as texts. */
function inText([path, { gzip, brotli, ...file }]: readonly [string, ViewFile]) {
  return [path, { ...file, gzip: gzip.toBase64(), brotli: brotli!.toBase64() }];
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
