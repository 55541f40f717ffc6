/**
 * Every sync that the log makes, by its site: the line of the log that asks for it, and the file.
 *
 * @module
 */
import { type FileSystem, wrapFiles } from "../../storage/file-system.ts";

const storage = new URL("../../storage/", import.meta.url);

/** The sites of syncs: `active-segment.ts:148 N.log`, `repair.ts:60 folder`. */
export type SyncSite = string;

/** `00000007.checkpoint.new` as `N.checkpoint.new`. */
function pattern(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\d+/g, "N");
}

/** The line of the log that makes a call: `active-segment.ts:148`. */
function caller(): string {
  const [line] = new Error().stack!.split("\n").filter((line) => line.includes(storage.pathname));
  return /[^/]+\.ts:\d+/.exec(line ?? "")?.[0] ?? "nowhere";
}

/** A file system that asks `isMade` of each sync whether to make it. */
export function withSyncs(files: FileSystem, isMade: (site: SyncSite) => boolean): FileSystem {
  return {
    ...wrapFiles(files, (file, path) => ({
      ...file,
      sync: () => isMade(`${caller()} ${pattern(path)}`) ? file.sync() : Promise.resolve(),
    })),
    syncFolder: (path) => isMade(`${caller()} folder`) ? files.syncFolder(path) : Promise.resolve(),
  };
}

/** Every line of the log that asks for a sync: `active-segment.ts:148`, in order. */
export async function linesThatSync(): Promise<readonly string[]> {
  const found: string[] = [];
  const entries = await Array.fromAsync(Deno.readDir(storage), ({ name }) => name);
  // The port itself asks for no sync.
  const files = entries.filter((name) => name.endsWith(".ts") && name !== "file-system.ts").sort();
  for (const name of files) {
    const lines = (await Deno.readTextFile(new URL(name, storage))).split("\n");
    for (const [index, line] of lines.entries()) {
      const isComment = /^\s*(\*|\/\/)/.test(line);
      if (!isComment && /\.sync\(\)|\.syncFolder\(/.test(line)) found.push(`${name}:${index + 1}`);
    }
  }
  return found;
}
