/** The README and the pages of docs/: links and file names are correct, each page has one reader. */
import { assert, assertEquals } from "@std/assert";
import { readConfiguration } from "../core/configuration/configuration.ts";

const root = new URL("../", import.meta.url);
const INDEX = "docs/README.md";

/** The paths, from the root, of all files below a folder. */
function* filesIn(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(new URL(`${folder}/`, root))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* filesIn(path);
    else yield path;
  }
}

function read(path: string): string {
  return Deno.readTextFileSync(new URL(path, root));
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(new URL(path, root));
    return true;
  } catch {
    return false;
  }
}

/** The pages of this project; the specification in docs/spec/ is copied unchanged. */
const pages = [...filesIn("docs")].filter((path) =>
  path.endsWith(".md") && !path.startsWith("docs/spec/")
);

/** The targets of a page's links within this repository, as paths from its root. */
function linksOf(page: string): string[] {
  return [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => new URL(link, new URL(page, root)).href.slice(root.href.length));
}

/** The headings of a page as the anchors of links. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)]
    .map(([, heading]) => heading!.toLowerCase().replace(/[^\w\- ]/g, "").replaceAll(" ", "-"));
}

Deno.test("the README has at most 150 lines", () => {
  const lines = read("README.md").trimEnd().split("\n");
  assert(lines.length <= 150, `${lines.length} lines`);
});

Deno.test("the picture of the README is animated, and has less than 800 KB", () => {
  const picture = Deno.readFileSync(new URL("docs/pictures/mixer-moving.png", root));
  assert(picture.length < 800_000, `${picture.length} bytes`);
  // After the first chunk an APNG has its number of frames.
  const [type, frames] = [picture.subarray(37, 41), new DataView(picture.buffer).getUint32(41)];
  assertEquals(new TextDecoder().decode(type), "acTL");
  assert(frames > 20, `${frames} frames`);
});

Deno.test("the README and the pages link only to existing files and headings", () => {
  const dead = ["README.md", ...pages].flatMap((page) =>
    linksOf(page).filter((link) => {
      const [path, anchor] = link.split("#") as [string, string?];
      return !isThere(path) || (anchor !== undefined && !anchorsOf(path).includes(anchor));
    }).map((link) => `${page}: ${link}`)
  );
  assertEquals(dead, []);
});

Deno.test("the index lists every page, and the README links to the index", () => {
  const listed = new Set(linksOf(INDEX));
  assertEquals(pages.filter((page) => page !== INDEX && !listed.has(page)), []);
  const specification = [...filesIn("docs/spec")];
  assertEquals(specification.filter((page) => !listed.has(page)), []);
  assert(linksOf("README.md").includes(INDEX));
});

Deno.test("the first line of every page names its one reader", () => {
  const readers = /^For (integrators|operators|firmware makers|library users|maintainers)\b/;
  const silent = pages.filter((page) => {
    const [title, first] = read(page).split("\n\n");
    return !title!.startsWith("# ") || !readers.test(first!);
  });
  assertEquals(silent, [INDEX]);
});

Deno.test("the rows of the specification name only existing tests", () => {
  const rows = read("docs/specification-rows.md").split("\n")
    .filter((line) => /\| \d+\.\d+ +\|/.test(line));
  assert(rows.length > 30, `${rows.length} rows`);
  const tests = rows.flatMap((row) => row.split("|").at(-2)!.trim().split(", "));
  assertEquals(tests.filter((test) => !isThere(`tests/${test}`)), []);
});

Deno.test("the pages cited in sources exist", () => {
  const folders =
    "core fade engine storage transport runtimes client fleet program tests bench tools docs/examples"
      .split(
        " ",
      );
  const sources = [...folders.flatMap((folder) => [...filesIn(folder)]), "main.ts", "mod.ts"]
    .filter((path) => path.endsWith(".ts"));
  const missing = sources.flatMap((source) =>
    (read(source).match(/\w[\w/-]*\.md\b/g) ?? [])
      .filter((page) => !isThere(page) && !isThere(`docs/spec/${page}`))
      .map((page) => `${source}: ${page}`)
  );
  assertEquals(missing, []);
});

Deno.test("the files named in docs/architecture.md exist", () => {
  const named = [...read("docs/architecture.md").matchAll(/`(\w[\w./-]*(?:\.\w+|\/))`/g)]
    .map((match) => match[1]!).filter((path) => path.includes("/") || isThere(path));
  assert(named.length > 40, `${named.length} files`);
  assertEquals(named.filter((path) => !isThere(path) && !isThere(`transport/${path}`)), []);
});

Deno.test("the example in docs/configuration.md is a valid configuration", () => {
  const [, example] = /```json\n(.*?)```/s.exec(read("docs/configuration.md"))!;
  assert("configuration" in readConfiguration(JSON.parse(example!)));
});
