/**
 * Makes the service one file, `dist/faderd.js`, with the device view in it: `deno task bundle`.
 * `--no-view` leaves that out. The file needs Deno and nothing else. Beside it stands its source
 * map, by which Deno names the sources in stack traces; the service runs without it.
 *
 * `deno bundle` makes it, which is esbuild, of the versions in `deno.lock`. What a bundle has
 * otherwise than the sources is put in by an import map.
 *
 * @module
 */
import { SourceMap } from "node:module";
import { print } from "../program/print.ts";
import { readView } from "../program/view-files.ts";
import manifest from "../deno.json" with { type: "json" };

/** What stands before the bundle to run it, wherever it is: `run`, and the flags of the tasks. */
export const FLAGS: readonly string[] = [
  ...manifest.tasks.faderd.command.split(" ").slice(1, -1),
  ...manifest.unstable.map((name) => `--unstable-${name}`),
  "--no-config",
  "--no-lock",
];

/** So many sources are listed, the largest first. */
const LISTED = 12;

const root = new URL("../", import.meta.url);
/** What is put in place of a source. */
const replaced = new URL("dist/replaced/", root);
const VIEW = "view-files.js";
const BONJOUR = "bonjour.js";
const BUILTINS = "builtins.js";

/**
 * What the bundle has in place of the package that advertises it: the same one, which is CommonJS
 * and calls `require` for what is Node's, once there is such a function. A module has none, and to
 * import `node:module` for one would be paid for at every start.
 */
const BONJOUR_SOURCE = `import "./${BUILTINS}";
export { Bonjour } from "${manifest.imports["bonjour-service"]}";
`;

if (import.meta.main) {
  const output = new URL("dist/faderd.js", root);
  await bundle(output, !Deno.args.includes("--no-view"));
  await say(output);
}

/** Makes the bundle and, beside it, its source map. */
export async function bundle(output: URL, isViewIn = true): Promise<void> {
  await Deno.mkdir(replaced, { recursive: true });
  await write(VIEW, isViewIn ? viewAsSource() : "export function readView() {}\n");
  await write(BUILTINS, "globalThis.require = (name) => process.getBuiltinModule(name);\n");
  await write(BONJOUR, BONJOUR_SOURCE);
  const { version, engines } = manifest;
  await write("deno.json", JSON.stringify({ version, engines }));
  await write(
    "imports.json",
    JSON.stringify({
      imports: {
        ...manifest.imports,
        "../../program/view-files.ts": `./${VIEW}`,
        "bonjour-service": `./${BONJOUR}`,
        // The program asks it for nothing else.
        "../../deno.json": "./deno.json",
      },
    }),
  );
  // As packages have it for browsers LogTape does without `node:util`, which takes 2 MB.
  const form = ["--platform", "browser", "--minify", "--sourcemap", "linked"];
  const imports = ["--import-map", new URL("imports.json", replaced).pathname];
  const into = ["--output", output.pathname];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--frozen", ...form, ...imports, ...into, "main.ts"],
    cwd: root,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** What the bundle has in place of `program/view-files.ts`: the same function, with the files. */
function viewAsSource(): string {
  const view = readView();
  if (view === undefined) throw new Error("the device view has not been made: run deno task view");
  const files = Array.from(view, ([path, { gzip, brotli, ...file }]) => [
    path,
    { ...file, gzip: gzip.toBase64(), brotli: brotli.toBase64() },
  ]);
  // Whoever starts with --no-view has nothing of it in memory but the text of this function.
  return `export function readView() {
    const files = ${JSON.stringify(files)};
    return new Map(files.map(([path, { gzip, brotli, ...file }]) => [path, {
      ...file,
      gzip: Uint8Array.fromBase64(gzip),
      brotli: Uint8Array.fromBase64(brotli),
    }]));
  }`;
}

function write(name: string, text: string): Promise<void> {
  return Deno.writeTextFile(new URL(name, replaced), text);
}

/** Prints how large a bundle is, and of what. */
async function say(output: URL): Promise<void> {
  const bytesOf = await sizes(output);
  for (const [source, bytes] of [...bytesOf].sort(([, a], [, b]) => b - a).slice(0, LISTED)) {
    print(`${String(bytes).padStart(8)}  ${source}`);
  }
  const { size } = await Deno.stat(output);
  const view = bytesOf.get(`dist/replaced/${VIEW}`) ?? 0;
  print(`dist/faderd.js: ${size} bytes, without the view ${size - view}`);
}

/** How many bytes of a bundle come of each source. */
async function sizes(output: URL): Promise<Map<string, number>> {
  const map = new SourceMap(JSON.parse(await Deno.readTextFile(`${output.pathname}.map`)));
  const found = new Map<string, number>();
  const lines = (await Deno.readTextFile(output)).split("\n");
  for (const [row, line] of lines.entries()) {
    for (let column = 0; column < line.length; column++) {
      const entry = map.findEntry(row, column);
      if (!("originalSource" in entry)) continue;
      const source = nameOf(new URL(entry.originalSource, output));
      found.set(source, (found.get(source) ?? 0) + 1);
    }
  }
  return found;
}

function nameOf({ href }: URL): string {
  const [, inPackage] = href.split("/npm/registry.npmjs.org/");
  return inPackage === undefined ? href.replace(root.href, "") : `npm:${inPackage}`;
}
