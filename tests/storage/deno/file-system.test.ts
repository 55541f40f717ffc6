/** What the simulated disk cannot show: that the real one is asked for durable writes. */
import { assertEquals } from "@std/assert";
import { denoFileSystem } from "../../../storage/deno/file-system.ts";
import { inFolder, record } from "../texts.ts";

Deno.test("A write is answered after the file was synced, not before", () =>
  inFolder(async (folder) => {
    await denoFileSystem.makeFolder(folder);
    const { write, syncData } = Deno.FsFile.prototype;
    const calls: string[] = [];
    Deno.FsFile.prototype.write = function (bytes) {
      calls.push("write");
      return write.call(this, bytes);
    };
    Deno.FsFile.prototype.syncData = async function () {
      await syncData.call(this);
      calls.push("synced");
    };
    try {
      for (const open of [denoFileSystem.create, denoFileSystem.open]) {
        const file = await open(`${folder}/file`);
        await file.write(record("a"), 3);
        calls.push("answered");
        await file.close();
      }
    } finally {
      Object.assign(Deno.FsFile.prototype, { write, syncData });
    }
    const once = ["write", "synced", "answered"];
    assertEquals(calls, [...once, ...once]);
  }));

Deno.test("A failure carries the system's name of it", () =>
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

Deno.test("A file that is not there is removed without a fault", () =>
  inFolder(async (folder) => {
    await denoFileSystem.makeFolder(folder);
    await denoFileSystem.remove(`${folder}/none`);
    const file = await denoFileSystem.create(`${folder}/one`);
    await file.write(record("a"), 0);
    await file.close();
    await denoFileSystem.remove(`${folder}/one`);
    assertEquals(await denoFileSystem.list(folder), []);
  }));

Deno.test("A lock is given back at once, also while other threads start programs", () =>
  inFolder(async (folder) => {
    await denoFileSystem.makeFolder(folder);
    const source = 'for (;;) { await new Deno.Command("true").output(); postMessage(""); }';
    const worker = new Worker(`data:text/javascript,${source}`, { type: "module" });
    let started = 0;
    worker.onmessage = () => void started++;
    let taken = 0;
    let asked = 0;
    for (; started < 50; asked++) {
      const release = await denoFileSystem.lock(`${folder}/lock`);
      if (release !== undefined) taken++;
      // The other thread has a turn, and its messages come.
      await new Promise((resolve) => setTimeout(resolve));
      release?.();
    }
    worker.terminate();
    assertEquals(taken, asked);
  }));
