/**
 * Makes the files that the service and a hub serve, in `view/built/`, if the sources have changed:
 * `deno task view`. They are the device view and the page of a hub, packed by gzip and by Brotli,
 * and the published descriptions, by gzip alone. A failure, for example without a network, is only
 * reported.
 *
 * @module
 */
import { brotliCompressSync, constants, gunzipSync, gzipSync } from "node:zlib";
import type { BuildResult } from "esbuild";
import { DESCRIPTIONS_PATH } from "../program/view-files.ts";
import type { BundleOptions } from "./esbuild.ts";

const root = new URL("../", import.meta.url);
const OUTPUT = "view/built";

/** The sources of the files: after a change of any of them the files are made anew. */
const SOURCES = ["view", "client", "core", "fade", "fleet/api", "transport", "program/api"];
const SETTINGS = ["deno.web.json", "tools/esbuild.ts", "tools/view.ts", "view/deno.lock"];

const ENTRY = "view/main.tsx";

/** The page of a hub. */
const FLEET = "view/fleet/";
const FLEET_ENTRY = `${FLEET}main.tsx`;

/** A program, and the options of its bundle. */
type Page = readonly [entry: string, options: BundleOptions];

/** The program of the device view. */
export const PAGE = pageOf(ENTRY, "view.[hash]", "[name].[hash]");

/** The program of the page of a hub. */
export const FLEET_PAGE = pageOf(FLEET_ENTRY, "fleet.[hash]", "fleet.[name].[hash]");

/**
 * Bundles a program as modules for browsers: a module that is loaded first, and a chunk for each
 * page that is loaded later, with shared code in further chunks.
 */
function pageOf(entry: string, entryNames: string, chunkNames: string): Page {
  return [
    entry,
    {
      config: "deno.web.json",
      lock: "view/deno.lock",
      minify: true,
      splitting: true,
      outdir: OUTPUT,
      entryNames,
      chunkNames,
      // As if each page imported the program that opens it: so everything that is loaded first is
      // one chunk, and not a chunk for each set of pages that share a part of it.
      inject: [entry],
    },
  ];
}

/** The modules of the page. */
export interface Program {
  /** Their texts, by the names of their files. */
  readonly modules: ReadonlyMap<string, string>;
  /** The name of the module that is loaded first. */
  readonly first: string;
}

/** The media types, by the extensions of files. */
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  webmanifest: "application/manifest+json",
  svg: "image/svg+xml",
  png: "image/png",
  json: "application/json",
};

/** The compressions of a file, by the extension of its name. */
const PACKING = {
  gz: (content: Uint8Array, level: number) => gzipSync(content, { level }),
  br: (content: Uint8Array, level: number) =>
    brotliCompressSync(content, {
      params: {
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        [constants.BROTLI_PARAM_QUALITY]: level === 9 ? constants.BROTLI_MAX_QUALITY : level,
      },
    }),
};

/** The file with the stamp of the sources; written last, so that a half-made view is made again. */
const STAMP = `${OUTPUT}/sources.txt`;

if (import.meta.main) {
  const stamp = await stampOf([...SOURCES.flatMap((path) => [...filesIn(path)]), ...SETTINGS]);
  if (stamp !== readIfThere(STAMP)) {
    try {
      removeIfThere(OUTPUT);
      // Loaded only if they are needed.
      const esbuild = await import("esbuild");
      const { bundling } = await import("./esbuild.ts");
      const { descriptions } = await import("../program/api/descriptions.ts");
      const make = async (page: Page) => esbuild.build(await bundling(...page));
      const [view, fleet] = await Promise.all([make(PAGE), make(FLEET_PAGE)])
        .finally(esbuild.stop);
      await writeFiles(programOf(view), descriptions());
      await writeFleet(programOf(fleet));
      Deno.writeTextFileSync(at(STAMP), stamp);
    } catch (fault) {
      // A console without its view is still a console: its start goes on.
      print(`the device view could not be made: ${(fault as Error).message}`);
    }
  }
}

/** Writes a line to standard error. */
export function print(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${line.trimEnd()}\n`));
}

/** Marks the files as outdated: the next task makes them anew. */
export function discardStamp(): void {
  removeIfThere(STAMP);
}

/**
 * Returns the modules of the page as esbuild has built them. The entry does nothing but import the
 * chunk that all share: the page loads that chunk itself.
 */
export function programOf({ outputFiles, metafile }: Built): Program {
  const outputs = Object.entries(metafile!.outputs);
  const [entry, { imports }] = outputs.find(([, { entryPoint }]) =>
    entryPoint === ENTRY || entryPoint === FLEET_ENTRY
  )!;
  const files = outputFiles!.map(({ path, text }) => [fileName(path), text] as const);
  return {
    modules: new Map(files.filter(([name]) => name !== fileName(entry))),
    first: fileName(imports[0]!.path),
  };
}

/** The bytes of the built view, packed by gzip, as browsers load it. */
export interface ViewBytes {
  /**
   * The files that are loaded before the first page is whole: the page itself and all files that it
   * names.
   */
  readonly first: number;
  /** The chunks that are loaded later. */
  readonly later: number;
  /** All files of the page of a hub. */
  readonly fleet: number;
}

/** Measures the built view. */
export function viewBytes(): ViewBytes {
  const page = gunzipSync(Deno.readFileSync(at(`${OUTPUT}/index.html.gz`))).toString()
    .replace(/<link rel="later".*/, "");
  const bytes = { first: 0, later: 0, fleet: 0 };
  for (const { name } of Deno.readDirSync(at(OUTPUT))) {
    if (!/\.(html|js|css)\.gz$/.test(name)) continue;
    const isFirst = name.startsWith("index.") || page.includes(name.slice(0, -".gz".length));
    const part = name.startsWith("fleet.") ? "fleet" : isFirst ? "first" : "later";
    bytes[part] += Deno.statSync(at(`${OUTPUT}/${name}`)).size;
  }
  return bytes;
}

type Built = Pick<BuildResult, "outputFiles" | "metafile">;

function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Writes all files, the list of them last: the files of the view around the program of the page,
 * and the descriptions by their names. `level` is the level of compression, from 1 to 9.
 */
export async function writeFiles(
  { modules, first }: Program,
  descriptions: ReadonlyMap<string, string>,
  level = 9,
): Promise<void> {
  const packed = (name: string, content: Uint8Array) => writePacked(name, content, level);
  Deno.mkdirSync(at(OUTPUT), { recursive: true });
  const encoder = new TextEncoder();
  const { first: firstStyles, later: laterStyles } = styles();
  const scripts = await Promise.all(
    Array.from(modules, ([name, text]) => packed(name, encoder.encode(text))),
  );
  const sheet = async (name: string, text: string) => {
    const bytes = encoder.encode(text);
    return await packed(await nameOf(name, "css", bytes), bytes);
  };
  const sheets = [await sheet("view", firstStyles), await sheet("pages", laterStyles)] as const;
  const page = read("view/index.html").replace("view.css", sheets[0].name)
    .replace("pages.css", sheets[1].name)
    .replace("view.js", first)
    .replaceAll(/\n\s*/g, "\n");
  const index = await packed("index.html", encoder.encode(page));
  const named = JSON.stringify([...scripts, ...sheets].map(({ name }) => name));
  const worker = read("view/offline.js").replace('VERSION = ""', `VERSION = "${index.version}"`)
    .replace("FILES = []", `FILES = ${named}`)
    .replaceAll(/^\/\*\*[^]*?\*\/\n|^ *\/\/.*\n/gm, "");
  const asked = [
    index,
    await packed("offline.js", encoder.encode(worker)),
    await packed("manifest.webmanifest", Deno.readFileSync(at("view/manifest.webmanifest"))),
  ];
  for (const { name } of Deno.readDirSync(at("view/icons"))) {
    asked.push(await packed(name, Deno.readFileSync(at(`view/icons/${name}`))));
  }
  for (const [name, text] of descriptions) {
    asked.push(await writePacked(name, encoder.encode(text), level, ["gz"]));
  }
  const files = [
    ...[...scripts, ...sheets].map((file) => ({ ...file, isImmutable: true })),
    ...asked.map((file) => ({ ...file, isImmutable: false })),
  ];
  // The page itself is at the root, so that all files that it names are beside it.
  const list = files.map((file) => {
    const path = file.name === "index.html" ? "" : file.name;
    return [descriptions.has(path) ? `${DESCRIPTIONS_PATH}${path}` : `/${path}`, file];
  });
  Deno.writeTextFileSync(at(`${OUTPUT}/files.json`), JSON.stringify(Object.fromEntries(list)));
}

/** Writes the files of the page of a hub, and their list. */
export async function writeFleet({ modules, first }: Program, level = 9): Promise<void> {
  const encoder = new TextEncoder();
  const styles = encoder.encode(fleetStyles());
  const named = await Promise.all([
    ...Array.from(modules, ([name, text]) => writePacked(name, encoder.encode(text), level)),
    writePacked(await nameOf("fleet", "css", styles), styles, level),
  ]);
  const page = read(`${FLEET}index.html`).replace("fleet.css", named.at(-1)!.name)
    .replace("fleet.js", first)
    .replaceAll(/\n\s*/g, "\n");
  const index = await writePacked("fleet.html", encoder.encode(page), level);
  const icon = await writePacked("icon.svg", Deno.readFileSync(at("view/icons/icon.svg")), level);
  const files = {
    "/": { ...index, isImmutable: false },
    ...Object.fromEntries(named.map((file) => [`/${file.name}`, { ...file, isImmutable: true }])),
    "/icon.svg": { ...icon, isImmutable: false },
  };
  Deno.writeTextFileSync(at(`${OUTPUT}/fleet.json`), JSON.stringify(files));
}

/** Returns the styles of the page of a hub: the common ones, those of tables, and its own. */
function fleetStyles(): string {
  const sheets = [...filesIn("view")].filter((path) => path.endsWith(".css"));
  return minified([
    ...sheets.filter((path) => path.startsWith("view/styles/")).sort(),
    "view/pages/0-tables.css",
    ...sheets.filter((path) => path.startsWith(FLEET)),
  ]);
}

/**
 * Returns the styles: first those that the first page needs, which are the common ones, those of
 * the shell and of the parts, and its own; then all other styles of the view.
 */
function styles() {
  const sheets = [...filesIn("view")].filter((path) =>
    path.endsWith(".css") && !path.startsWith(FLEET)
  );
  const inFolder = (folder: string) => sheets.filter((path) => path.startsWith(folder)).sort();
  const first = ["view/styles/", "view/shell/", "view/parts/", "view/pages/mixer/mixer.css"]
    .flatMap(inFolder);
  const later = sheets.filter((path) => !first.includes(path)).sort();
  return { first: minified(first), later: minified(later) };
}

function minified(sheets: readonly string[]): string {
  return sheets.map(read).join("\n")
    .replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/\s+/g, " ").replaceAll(/ ?([{};,]) ?/g, "$1")
    .replaceAll(": ", ":").replaceAll(";}", "}");
}

/** Returns a name that only this content has. */
async function nameOf(name: string, ending: string, content: Uint8Array): Promise<string> {
  return `${name}.${(await sha256(content)).slice(0, 12)}.${ending}`;
}

/**
 * Writes a file, packed in each of the given ways; returns the properties of it that the service
 * lists.
 */
async function writePacked(
  name: string,
  content: Uint8Array,
  level: number,
  endings: readonly (keyof typeof PACKING)[] = ["gz", "br"],
) {
  for (const ending of endings) {
    Deno.writeFileSync(at(`${OUTPUT}/${name}.${ending}`), PACKING[ending](content, level));
  }
  return {
    name,
    type: TYPES[name.slice(name.lastIndexOf(".") + 1)],
    version: (await sha256(content)).slice(0, 16),
  };
}

function* filesIn(path: string): Generator<string> {
  if (path === OUTPUT) return;
  if (!Deno.statSync(at(path)).isDirectory) return yield path;
  for (const { name } of Deno.readDirSync(at(path))) yield* filesIn(`${path}/${name}`);
}

async function stampOf(paths: readonly string[]): Promise<string> {
  const sums = await Promise.all(
    [...paths].sort().map(async (path) => `${await sha256(Deno.readFileSync(at(path)))} ${path}`),
  );
  return `${Deno.version.deno}\n${sums.join("\n")}\n`;
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const sum = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return new Uint8Array(sum).toHex();
}

function at(path: string): URL {
  return new URL(path, root);
}

function read(path: string): string {
  return Deno.readTextFileSync(at(path));
}

function readIfThere(path: string): string | undefined {
  try {
    return read(path);
  } catch {
    return undefined;
  }
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(at(path), { recursive: true });
  } catch (fault) {
    if (!(fault instanceof Deno.errors.NotFound)) throw fault;
  }
}
