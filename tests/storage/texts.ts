/**
 * Records as text, and folders that go away: what most tests of the log need.
 *
 * @module
 */
import type { FileSystem, OpenFile } from "../../storage/file-system.ts";
import type { Log, LogOptions } from "../../storage/log.ts";

/** The bytes of a text. */
export function record(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text of a record. */
export function text(payload: Uint8Array): string {
  return new TextDecoder().decode(payload);
}

/** Options that collect what is replayed, as texts. */
export function collecting(): { found: string[]; options: Pick<LogOptions, "replay"> } {
  const found: string[] = [];
  return { found, options: { replay: (payload) => void found.push(text(payload)) } };
}

/** Appends all texts at once. */
export async function appendAll(log: Log, texts: readonly string[]): Promise<void> {
  await Promise.all(texts.map((one) => log.append(record(one))));
}

/** Runs `action` with a folder of its own. */
export async function inFolder(action: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "faderd-" });
  try {
    await action(`${folder}/data`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** All files of a folder by name, with their bytes. */
export async function contentOf(folder: string): Promise<Map<string, Uint8Array>> {
  const content = new Map<string, Uint8Array>();
  for (const { name } of (await Array.fromAsync(Deno.readDir(folder)))) {
    content.set(name, await Deno.readFile(`${folder}/${name}`));
  }
  return new Map([...content].sort());
}

/** Files of which one has a sector, at `sector`, that the medium does not give back. */
export function unreadable(files: FileSystem, name: string, sector: number): FileSystem {
  const failing = async (path: string, opening: Promise<OpenFile>): Promise<OpenFile> => {
    const file = await opening;
    if (!path.endsWith(`/${name}`)) return file;
    return {
      ...file,
      read(buffer, offset) {
        const isHit = offset < sector + 512 && offset + buffer.length > sector;
        if (!isHit) return file.read(buffer, offset);
        return Promise.reject(Object.assign(new Error("input/output error"), { code: "EIO" }));
      },
    };
  };
  return {
    ...files,
    open: (path) => failing(path, files.open(path)),
    openToRead: (path) => failing(path, files.openToRead(path)),
  };
}
