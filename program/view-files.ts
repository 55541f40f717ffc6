/**
 * The files of the device view, as `tools/view.ts` makes them.
 *
 * @module
 */
import type { View, ViewFile } from "../transport/view.ts";

/** The folder of the published descriptions. */
export const DESCRIPTIONS_PATH = "/api/";

const BUILT = new URL("../view/built/", import.meta.url);

/** The listed properties of a file, besides its path. */
interface Listed extends Omit<ViewFile, "gzip" | "brotli"> {
  /** Its name without the extension of its compression. */
  readonly name: string;
}

/**
 * Reads the view into memory, except for the descriptions, which are read on each request;
 * undefined if it has not been made.
 */
export function readView(): View | undefined {
  return readFiles("files.json");
}

/** Reads the page of a hub into memory; undefined if it has not been made. */
export function readFleetPage(): View | undefined {
  return readFiles("fleet.json");
}

function readFiles(named: string): View | undefined {
  const list = readList(named);
  return list && new Map(
    Object.entries(list).map(([path, { name, ...file }]) => [
      path,
      path.startsWith(DESCRIPTIONS_PATH)
        ? {
          ...file,
          get gzip() {
            return read(`${name}.gz`);
          },
        }
        : { ...file, gzip: read(`${name}.gz`), brotli: read(`${name}.br`) },
    ]),
  );
}

function read(name: string): Uint8Array<ArrayBuffer> {
  return Deno.readFileSync(new URL(name, BUILT));
}

function readList(named: string): Readonly<Record<string, Listed>> | undefined {
  try {
    return JSON.parse(Deno.readTextFileSync(new URL(named, BUILT)));
  } catch (fault) {
    if (fault instanceof Deno.errors.NotFound) return undefined;
    throw fault;
  }
}
