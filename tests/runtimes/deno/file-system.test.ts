/** Calls of the real file system that the simulated disk cannot check: durable writes. */
import { assertEquals } from "@std/assert";
import { denoFileSystem } from "../../../runtimes/deno/file-system.ts";
import { inFolder, record } from "../../storage/texts.ts";

/** Runs `action` with the calls of one of Deno's files noted by name. */
async function noting(
  names: readonly ("write" | "writeSync" | "syncData" | "sync")[],
  action: () => Promise<void>,
): Promise<string[]> {
  const calls: string[] = [];
  const file = Deno.FsFile.prototype;
  const real = Object.fromEntries(names.map((name) => [name, file[name]]));
  for (const name of names) {
    Object.assign(file, {
      async [name](this: Deno.FsFile, ...given: unknown[]) {
        const answer = await Reflect.apply(real[name]!, this, given);
        calls.push(name);
        return answer;
      },
    });
  }
  try {
    await action();
  } finally {
    Object.assign(file, real);
  }
  return calls;
}

Deno.test("A write is on the medium when its sync is answered", () =>
  inFolder(async (folder) => {
    await denoFileSystem.makeFolder(folder);
    for (const open of [denoFileSystem.create, denoFileSystem.open]) {
      const calls = await noting(["write", "writeSync", "syncData"], async () => {
        const file = await open(`${folder}/file`);
        await file.write(record("a"), 3);
        await file.write(new Uint8Array(64 * 1024), 4);
        await file.sync();
        await file.close();
      });
      assertEquals(calls, ["writeSync", "write", "syncData"]);
    }
  }));

Deno.test("A new folder is on the medium, and so are the folders above it", () =>
  inFolder(async (folder) => {
    const { makeFolder } = denoFileSystem;
    assertEquals(await noting(["sync"], () => makeFolder(`${folder}/a/b`)), Array(3).fill("sync"));
    assertEquals(await noting(["sync"], () => makeFolder(`${folder}/a/b/`)), []);
  }));

Deno.test("A failure has the error code of the system", () =>
  inFolder(async (folder) => {
    const { open, list, rename, create } = denoFileSystem;
    const outcomes = await Promise.allSettled([
      open(`${folder}/none`),
      list(`${folder}/none`),
      rename(`${folder}/none`, `${folder}/other`),
      create(`${folder}/none/file`),
    ]);
    const codes = outcomes.map((one) => one.status === "rejected" ? one.reason.code : "none");
    assertEquals(codes, ["ENOENT", "ENOENT", "ENOENT", "ENOENT"]);
  }));

Deno.test("Removing a missing file is no fault", () =>
  inFolder(async (folder) => {
    await denoFileSystem.makeFolder(folder);
    await denoFileSystem.remove(`${folder}/none`);
    const file = await denoFileSystem.create(`${folder}/one`);
    await file.write(record("a"), 0);
    await file.close();
    await denoFileSystem.remove(`${folder}/one`);
    assertEquals(await denoFileSystem.list(folder), []);
  }));

Deno.test("A lock is released at once, also while other threads start programs", () =>
  inFolder(async (folder) => {
    await denoFileSystem.makeFolder(folder);
    const source = 'for (;;) { await new Deno.Command("true").output(); postMessage(""); }';
    const worker = new Worker(`data:text/javascript,${source}`, { type: "module" });
    let started = 0;
    worker.onmessage = () => void started++;
    let taken = 0;
    let asked = 0;
    for (; started < 50; asked++) {
      const lock = await denoFileSystem.lock(folder);
      if (lock !== undefined) taken++;
      // The other thread has a turn, and its messages come.
      await new Promise((resolve) => setTimeout(resolve));
      lock?.release();
    }
    worker.terminate();
    assertEquals(taken, asked);
  }));
