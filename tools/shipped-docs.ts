/**
 * The pages of `docs/` as a package ships them, with their pictures and examples, in one folder of
 * their own. A link out of that folder would lead nowhere there: only its text is left.
 *
 * @module
 */

const root = new URL("../", import.meta.url);
const docs = new URL("docs/", root);

/** Yields each file by its path below the folder, with its content. */
export async function* shippedDocs(): AsyncGenerator<
  readonly [path: string, content: string | URL]
> {
  for await (const path of filesIn("")) {
    const file = new URL(path, docs);
    yield [path, path.endsWith(".md") ? await pageOf(file) : file];
  }
}

async function* filesIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, docs))) {
    const path = `${folder}${name}`;
    if (isDirectory) yield* filesIn(`${path}/`);
    else yield path;
  }
}

async function pageOf(file: URL): Promise<string> {
  const text = await Deno.readTextFile(file);
  return text.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words, target) => {
    const isOut = !/^[a-z]+:/.test(target) && !new URL(target, file).href.startsWith(docs.href);
    return isOut ? words : link;
  });
}
