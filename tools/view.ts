/**
 * Makes the device view: what `view/` holds as the files that the service serves, in `view/built/`,
 * each packed by gzip and by Brotli. It does nothing where they are made of the same sources, and
 * says so where it fails, as without a network: `deno task view`.
 *
 * @module
 */
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const root = new URL("../", import.meta.url);
const OUTPUT = "view/built";

/** Whatever the bundle is made of: a change of any of it makes another. */
const SOURCES = ["view", "client", "core/tree", "core/limits.ts", "fade"];
const SETTINGS = ["deno.web.json", "tools/esbuild.ts", "tools/view.ts", "view/deno.lock"];

/** The media types, by how files end. */
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  webmanifest: "application/manifest+json",
  svg: "image/svg+xml",
  png: "image/png",
};

/** Written last, so that what is half made is made again. */
const STAMP = `${OUTPUT}/sources.txt`;

const stamp = await stampOf([...SOURCES.flatMap((path) => [...filesIn(path)]), ...SETTINGS]);
if (stamp !== readIfThere(STAMP)) {
  try {
    await build();
    Deno.writeTextFileSync(at(STAMP), stamp);
  } catch (fault) {
    // A console without its view is still a console: whoever starts one goes on.
    warn(`the device view could not be made: ${(fault as Error).message}`);
  }
}

function warn(sentence: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${sentence.trimEnd()}\n`));
}

async function build(): Promise<void> {
  removeIfThere(OUTPUT);
  Deno.mkdirSync(at(OUTPUT), { recursive: true });
  const script = await named("view", "js", await bundle());
  const style = await named("view", "css", new TextEncoder().encode(styles()));
  const page = read("view/index.html").replace("view.css", style.name)
    .replace("view.js", script.name).replaceAll(/\n\s*/g, "\n");
  const asked = [
    await packed("index.html", new TextEncoder().encode(page)),
    await packed("manifest.webmanifest", Deno.readFileSync(at("view/manifest.webmanifest"))),
  ];
  for (const { name } of Deno.readDirSync(at("view/icons"))) {
    asked.push(await packed(name, Deno.readFileSync(at(`view/icons/${name}`))));
  }
  const files = [
    ...[script, style].map((file) => ({ ...file, isImmutable: true })),
    ...asked.map((file) => ({ ...file, isImmutable: false })),
  ];
  // The page itself is at the root, so that whatever it names lies beside it.
  const list = files.map((file) => [file.name === "index.html" ? "/" : `/${file.name}`, file]);
  Deno.writeTextFileSync(at(`${OUTPUT}/files.json`), JSON.stringify(Object.fromEntries(list)));
}

/** The program of the page, as one module for browsers. */
async function bundle(): Promise<Uint8Array> {
  // Loaded only where it is needed.
  const { bundled } = await import("./esbuild.ts");
  const from = { config: "deno.web.json", lock: "view/deno.lock" };
  const { code } = await bundled("view/main.tsx", { ...from, minify: true });
  return new TextEncoder().encode(code);
}

/** The styles: those of all first, then those of the parts, then those of each page. */
function styles(): string {
  const sheets = [...filesIn("view")].filter((path) => path.endsWith(".css"));
  const inFolder = (folder: string) => sheets.filter((path) => path.startsWith(folder)).sort();
  const shared = [...inFolder("view/styles/"), ...inFolder("view/parts/")];
  const own = sheets.filter((path) => !shared.includes(path)).sort();
  return [...shared, ...own].map(read).join("\n")
    .replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/\s+/g, " ").replaceAll(/ ?([{};,]) ?/g, "$1")
    .replaceAll(": ", ":").replaceAll(";}", "}");
}

/** Writes a file under a name that only this content has. */
async function named(name: string, ending: string, content: Uint8Array) {
  return await packed(`${name}.${(await sha256(content)).slice(0, 12)}.${ending}`, content);
}

/** Writes a file, packed in both ways; answers what the service says of it. */
async function packed(name: string, content: Uint8Array) {
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  Deno.writeFileSync(at(`${OUTPUT}/${name}.gz`), gzipSync(content, { level: 9 }));
  Deno.writeFileSync(at(`${OUTPUT}/${name}.br`), brotliCompressSync(content, { params }));
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
