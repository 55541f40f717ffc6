/**
 * Makes the service: `deno task bundle`. A start evaluates two files, `dist/faderd.js`, which is one
 * statement, and `dist/service.js`, all of the service with the device view, which `--no-view`
 * leaves out. Two files share the modules of `service.js`, and are evaluated on first use, though
 * Deno keeps their text (0.8 MB) from the start, because imports name them: `dist/commands.js` by
 * each command but `serve`, the hub among them, and `dist/libsodium.js`, which would take 1 MB of
 * memory unused. `dist/hub-nats.js` shares no module; it is loaded by a hub with its ledger on
 * servers of NATS. They need Deno and nothing else. The source maps beside them, by which Deno
 * names the sources in stack traces, may be left out.
 *
 * A plugin of esbuild makes the changes by which a bundle differs from the sources.
 *
 * @module
 */
import { build, type BuildResult, type Plugin, stop } from "esbuild";
import type { ViewFile } from "../transport/view.ts";
import { print } from "../program/print.ts";
import { DESCRIPTIONS_PATH, readFleetPage, readView } from "../program/view-files.ts";
import manifest from "../deno.json" with { type: "json" };
import { bundling } from "./esbuild.ts";
import { type Component, componentsOf, writeNotices } from "./notices/notices.ts";
import { FLEET_PAGE, PAGE } from "./view.ts";

/** The arguments of Deno that stand before the name of the bundle: `run`, and the flags of the tasks. */
export const FLAGS: readonly string[] = [
  ...manifest.tasks.faderd.command.split(" ").slice(1, -1),
  ...manifest.unstable.map((name) => `--unstable-${name}`),
  "--no-config",
  "--no-lock",
];

/** The files of a bundle; the source map of each, `.map`, is beside it. */
export const FILES = [
  "faderd.js",
  "service.js",
  "commands.js",
  "hub-nats.js",
  "libsodium.js",
] as const;

/** A file of a bundle. */
interface BundledFile {
  readonly bytes: number;
  /** The number of bytes from each source, by its path from the root folder. */
  readonly bytesOf: ReadonlyMap<string, number>;
}

/** A bundle. */
export interface Bundle {
  /** Its files, and their source maps, by their names. */
  readonly files: ReadonlyMap<string, BundledFile>;
  /** The third-party software in these files. */
  readonly components: readonly Component[];
}

/** The number of sources that are listed, the largest first. */
const LISTED = 12;

/** The module of all commands that are evaluated on first use. */
const COMMANDS = "faderd:commands";

/**
 * The modules that replace `program/view-files.ts`: the module with the view, and the module of the
 * hub.
 */
const VIEW = "faderd:view";
const FLEET_VIEW = "faderd:fleet-view";

/** The tables of commands, which import the commands on first use. */
const TABLES = ["commands", "fleet-table"];

/**
 * The module of the client of NATS, whose packages have a lock of their own, and the module that
 * has its address.
 */
const NATS = "hub-nats.js";
const NATS_BESIDE = `export const NATS_MODULE = new URL("${NATS}", import.meta.url).href;`;

/** The sources whose imports on first use become imports at the start of the bundle. */
const IMPORTS_LATE = /\/(program|fleet\/uplink)\/[^/]+\.ts$/;

/** The sources that need modules of Node which the service does without. */
const NEEDS_NODE = /\/program\/(shown-certificate|doctor\/space)\.ts$/;

/** A command that a table imports. */
const IMPORTED = /import\(("\.\/[^"]+")\)/g;

const root = new URL("../", import.meta.url);

/** Has a file share all of the service, so that one file has all shared modules. */
const SHARED = `\nimport "${root.pathname}program/run.ts";`;

if (import.meta.main) {
  say(await bundle(new URL("dist/", root), !Deno.args.includes("--no-view")));
}

/** Makes a bundle in a folder, with the notices and the SBOM of the third-party software in it. */
export async function bundle(folder: URL, isViewIn = true): Promise<Bundle> {
  await Deno.mkdir(folder, { recursive: true });
  const pages = isViewIn ? [PAGE, FLEET_PAGE] : [];
  try {
    const [program, nats, ...views] = await Promise.all([
      build(await programBundling(folder, isViewIn)),
      build(await natsBundling(folder)),
      // Task view has packed the pages already: they are made again for their metafiles.
      ...pages.map(async (page) => build(await bundling(...page))),
    ]);
    for (const { path, contents } of [...program.outputFiles!, ...nats.outputFiles!]) {
      await Deno.writeFile(path, contents);
    }
    const metafiles = [program, nats, ...views].map(({ metafile }) => metafile!);
    const components = await componentsOf(...metafiles);
    await writeNotices(folder, { name: manifest.name, type: "application" }, components);
    return { files: new Map([...filesOf(program), ...filesOf(nats)]), components };
  } finally {
    await stop();
  }
}

function programBundling(folder: URL, isViewIn: boolean) {
  return bundling("main.ts", {
    entryPoints: {
      faderd: "main.ts",
      commands: COMMANDS,
      libsodium: "core/sodium.ts",
    },
    // The modules that several of them import are in one file, and esbuild fails if it would need
    // two.
    splitting: true,
    chunkNames: "service",
    outdir: folder.pathname,
    minify: true,
    sourcemap: "linked",
    plugins: [replacing(isViewIn)],
  });
}

/** Returns the options of the file with the client of NATS. */
function natsBundling(folder: URL) {
  return bundling("fleet/nats/open.ts", {
    lock: "fleet/nats/deno.lock",
    outfile: new URL(NATS, folder).pathname,
    minify: true,
    sourcemap: "linked",
  });
}

/** Returns the files that esbuild has made, by their names. */
function filesOf({ metafile }: BuildResult) {
  return Object.entries(metafile!.outputs).map(([path, { bytes, inputs }]) => {
    const from = Object.entries(inputs).map(([source, of]) => [source, of.bytesInOutput] as const);
    return [path.slice(path.lastIndexOf("/") + 1), { bytes, bytesOf: new Map(from) }] as const;
  });
}

/** Removes the source maps of a bundle: where they are, Deno keeps them in memory. */
export async function removeMaps(folder: URL): Promise<void> {
  for (const name of FILES) await Deno.remove(new URL(`${name}.map`, folder));
}

/** Returns the number of bytes of a bundle that a start evaluates. */
export function bytesOfStart({ files }: Bundle): number {
  return files.get("faderd.js")!.bytes + files.get("service.js")!.bytes;
}

/** Adds modules to a bundle that are in no source, and changes some sources. */
function replacing(isViewIn: boolean): Plugin {
  const made: Readonly<Record<string, () => string>> = {
    [COMMANDS]: allCommands,
    [VIEW]: isViewIn ? viewAsSource : () => "export function readView() {}",
    [FLEET_VIEW]: () =>
      `export { readView } from "${VIEW}";` +
      (isViewIn ? fleetPageAsSource() : "export function readFleetPage() {}"),
  };
  // The program reads nothing else from deno.json.
  const { version, engines } = manifest;
  // The first change whose pattern matches a source is applied to it.
  const changed: readonly (readonly [RegExp, (source: string) => string])[] = [
    [new RegExp(`/program/(${TABLES.join("|")})\\.ts$`), asCommands],
    [NEEDS_NODE, unforeseen],
    [/\/core\/sodium\.ts$/, (source) => source + SHARED],
    [/\/program\/nats-module\.ts$/, () => NATS_BESIDE],
    [IMPORTS_LATE, atStart],
    [/\/deno\.json$/, () => JSON.stringify({ version, engines })],
  ];
  return {
    name: "replacing",
    setup(build) {
      const asMade = (path: string) => ({ path, namespace: "made" });
      build.onResolve({ filter: /^faderd:/ }, ({ path }) => asMade(path));
      build.onResolve(
        { filter: /\/view-files\.ts$/ },
        ({ importer }) => asMade(importer.endsWith("/hub.ts") ? FLEET_VIEW : VIEW),
      );
      build.onLoad(
        { filter: /^/, namespace: "made" },
        ({ path }) => ({ contents: made[path]!(), resolveDir: `${root.pathname}program` }),
      );
      for (const [filter, change] of changed) {
        build.onLoad({ filter }, async ({ path }) => ({
          contents: change(await Deno.readTextFile(path)),
          loader: path.endsWith(".json") ? "json" : "ts",
        }));
      }
    },
  };
}

/** Makes the module of all commands: each source by the name by which the tables import it. */
function allCommands(): string {
  const names = TABLES.flatMap((table) => {
    const source = Deno.readTextFileSync(new URL(`program/${table}.ts`, root));
    return [...source.matchAll(IMPORTED)].map(([, name]) => name!);
  });
  const exported = [...new Set(names)].map((name) => `export * as ${name} from ${name};`);
  return exported.join("\n") + SHARED;
}

/** Has a table import its commands from the module of all commands. */
function asCommands(source: string): string {
  return source.replaceAll(
    IMPORTED,
    (_, name) => `import("${COMMANDS}").then((commands) => commands[${name}])`,
  );
}

/**
 * Has a source import at its start the modules that it imports on first use. In one file, which
 * Deno reads as a whole, a later import saves little, and each such module would have to be in a
 * function: 18 KB, 0.2 MB of memory and 14 ms of each start. Evaluating Ember+ and ECP, which are
 * off, takes 0.14 MB of the heap.
 */
function atStart(source: string): string {
  const modules: string[] = [];
  const code = source.replaceAll(/await import\(("\.\.?\/[^"]+")\)/g, (_, module) => {
    modules.push(module);
    return `imported${modules.length}`;
  });
  // Appended after the code, so that lines keep their numbers.
  return code + modules.map((one, at) => `import * as imported${at + 1} from ${one};`).join("\n");
}

/**
 * Has a source import modules of Node by names that are put together when they are needed: Deno
 * loads at the start the modules whose names stand in the text, and these three take 0.7 MB.
 */
function unforeseen(source: string): string {
  return source.replaceAll(
    /await import\("(\w+):([\w/]+)"\)/g,
    (_, scheme, module) => `await import(["${scheme}", "${module}"].join(":"))`,
  );
}

/**
 * Makes the source that replaces `program/view-files.ts` in the bundle: the function that returns
 * the view, with the files in it.
 */
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
  export function unpacked([path, { gzip, brotli, ...file }]) {
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

/** Makes the source that replaces `program/view-files.ts` in the file of the hub. */
function fleetPageAsSource(): string {
  return `import { unpacked } from "${VIEW}";
  export function readFleetPage() {
    return new Map(${JSON.stringify([...readFleetPage()!].map(inText))}.map(unpacked));
  }`;
}

/** Returns a file of a view, with its packed contents in Base64. */
function inText([path, { gzip, brotli, ...file }]: readonly [string, ViewFile]) {
  return [path, { ...file, gzip: gzip.toBase64(), brotli: brotli!.toBase64() }];
}

/** Prints the size of a bundle, and its largest sources. */
function say(made: Bundle): void {
  const { files } = made;
  const { bytesOf } = files.get("service.js")!;
  for (const [source, bytes] of [...bytesOf].sort(([, a], [, b]) => b - a).slice(0, LISTED)) {
    print(`${String(bytes).padStart(8)}  ${source.replace(/^.*\/registry\.npmjs\.org\//, "npm:")}`);
  }
  for (const name of FILES) print(`dist/${name}: ${files.get(name)!.bytes} bytes`);
  const view = bytesOf.get(`made:${VIEW}`) ?? 0;
  print(
    `a start evaluates ${bytesOfStart(made)} bytes, without the view ${bytesOfStart(made) - view}`,
  );
}
