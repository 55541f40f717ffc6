/**
 * The files of the device view, as `scripts/view.ts` makes them.
 *
 * @module
 */
import type { View, ViewFile } from "../transport/view.ts";

const BUILT = new URL("../view/built/", import.meta.url);

/** The media types of the view, by how its files end. */
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  webmanifest: "application/manifest+json",
  svg: "image/svg+xml",
  png: "image/png",
};

/** The page itself is at `/`, not at its name. */
const PAGE = "index.html";

/** Has the content of a file in its name. */
const HASHED = /\.[\da-f]{12}\.\w+$/;

/** Reads the view into memory; undefined where it has not been made. */
export async function readView(): Promise<View | undefined> {
  const names = namesOfFiles();
  if (!names.includes(PAGE)) return undefined;
  const files = names.map(async (name): Promise<[string, ViewFile]> => {
    const gzip = Deno.readFileSync(new URL(`${name}.gz`, BUILT));
    const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", gzip));
    return [name === PAGE ? "/" : `/${name}`, {
      type: TYPES[name.split(".").at(-1)!]!,
      version: sum.toHex().slice(0, 16),
      isImmutable: HASHED.test(name),
      gzip,
      brotli: Deno.readFileSync(new URL(`${name}.br`, BUILT)),
    }];
  });
  return new Map(await Promise.all(files));
}

function namesOfFiles(): string[] {
  try {
    return [...Deno.readDirSync(BUILT)].map(({ name }) => name)
      .filter((name) => name.endsWith(".gz")).map((name) => name.slice(0, -3));
  } catch {
    return [];
  }
}
