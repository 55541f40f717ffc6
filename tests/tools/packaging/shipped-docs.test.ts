/** The pages in each package that ships them have no dead link. */
import { assert, assertEquals } from "@std/assert";
import { shippedDocs } from "../../../tools/shipped-docs.ts";

const root = new URL("../../../", import.meta.url);

/** The links of a page, except links to other sites and links in code. */
function linksOf(page: string): string[] {
  const text = page.replaceAll(/^```.*?^```/gms, "").replaceAll(/`[^`]*`/g, "`");
  return [...text.matchAll(/\]\(([^)\s]+)\)|<(?:img|a)\b[^>]*(?:src|href)="([^"]+)"/g)]
    .map(([, link, attribute]) => (link ?? attribute)!)
    .filter((link) => !/^[a-z]+:/.test(link));
}

/** The headings of a page, as links name them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)]
    .map(([, heading]) => heading!.toLowerCase().replace(/[^\w\- ]/g, "").replaceAll(" ", "-"));
}

/** The dead links of pages: no file or heading among the pages is their target. */
function deadIn(files: ReadonlyMap<string, string>): string[] {
  return [...files].filter(([path]) => path.endsWith(".md")).flatMap(([path, text]) =>
    linksOf(text).filter((link) => {
      const { pathname, hash } = new URL(link, `file:///${path}`);
      const target = decodeURIComponent(pathname.slice(1));
      if (target.endsWith("/") || !target.includes(".")) {
        return ![...files.keys()].some((one) => one.startsWith(target));
      }
      const found = files.get(target);
      return found === undefined || (hash !== "" && !anchorsOf(found).includes(hash.slice(1)));
    }).map((link) => `${path}: ${link}`)
  );
}

Deno.test("in the Debian package no page of docs/ has a dead link", async () => {
  const files = new Map<string, string>();
  for await (const [path, content] of shippedDocs()) {
    files.set(`docs/${path}`, typeof content === "string" ? content : "");
  }
  assert(files.has("docs/operating.md") && files.has("docs/spec/service.md"));
  assert(
    files.has("docs/examples/proxies/nginx.conf") && files.has("docs/pictures/mixer-moving.png"),
  );
  assertEquals(deadIn(files), []);
  // A link out of the folder is replaced by its text.
  const operating = files.get("docs/operating.md")!;
  assert(operating.includes("tools/packaging/Containerfile says how the image is made"));
});

async function* filesIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    if (isDirectory) yield* filesIn(`${folder}${name}/`);
    else yield `${folder}${name}`;
  }
}

Deno.test("the pages of the npm packages link only to their own headings", async () => {
  const pages = (await Array.fromAsync(filesIn("tools/npm/"))).filter((path) =>
    path.endsWith(".md")
  );
  assert(pages.length > 0);
  for (const name of pages) {
    const text = await Deno.readTextFile(new URL(name, root));
    assertEquals(linksOf(text).filter((link) => !link.startsWith("#")), [], name);
  }
});
