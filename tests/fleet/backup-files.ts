/**
 * A folder of backups in memory, for tests.
 *
 * @module
 */
import type { BackupFiles } from "../../fleet/backups/backup-files.ts";

/**
 * A folder in memory. While `breaks` is set, archives are cut off, or archives or lists cannot be
 * written; `waits` delays archives.
 */
export function memoryFiles() {
  const archives = new Map<string, Uint8Array<ArrayBuffer>>();
  const unfinished = new Map<string, Uint8Array<ArrayBuffer>>();
  const lists = new Map<string, string>();
  const state = {
    breaks: undefined as "console" | "disk" | "torn" | "list" | undefined,
    waits: undefined as Promise<void> | undefined,
    /** Number of archives that `waits` has delayed. */
    delayed: 0,
  };
  let received = 0;
  const of = (kind: "unfinished" | "archive") => kind === "archive" ? archives : unfinished;
  const files: BackupFiles = {
    clear: () => Promise.resolve(unfinished.clear()),
    async receive(content) {
      const whole = new Uint8Array(await new Response(content as BodyInit).arrayBuffer());
      const { breaks, waits } = state;
      if (waits !== undefined) {
        state.delayed++;
        await waits;
      }
      if (breaks === "console") throw new Error("the connection to the console ended");
      if (breaks === "disk") throw new Error("no space left on device");
      const name = String(++received);
      unfinished.set(name, breaks === "torn" ? whole.slice(0, -20) : whole);
      return { name, bytes: whole.length };
    },
    keep(name, content) {
      archives.set(content, unfinished.get(name)!);
      unfinished.delete(name);
      return Promise.resolve();
    },
    open: (kind, name) => Promise.resolve(new Response(of(kind).get(name)!).body!),
    remove: (kind, name) => Promise.resolve(void of(kind).delete(name)),
    archives: () => Promise.resolve([...archives.keys()]),
    lists: () => Promise.resolve(lists),
    writeList(console, text) {
      if (state.breaks === "list") return Promise.reject(new Error("no space left on device"));
      lists.set(console, text);
      return Promise.resolve();
    },
  };
  return { files, archives, unfinished, lists, state };
}
