/** The file system of Node: its calls of the real disk, and its lock. */
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { assert, assertEquals } from "@std/assert";
import { nodeFileSystem as files } from "../../../runtimes/node/file-system.ts";

/** Runs `action` with the path of a folder that does not exist yet. */
async function inFolder(action: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(`${tmpdir()}/faderd-`);
  try {
    await action(`${folder}/data`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs `action` with a list of the syncs of files and folders, by the name of the call. */
async function noting(action: () => Promise<void>): Promise<string[]> {
  const one = await open(tmpdir(), "r");
  const handle = Object.getPrototypeOf(one);
  await one.close();
  const calls: string[] = [];
  const names = ["datasync", "sync"];
  const real = Object.fromEntries(names.map((name) => [name, handle[name]]));
  for (const name of names) {
    handle[name] = async function (...given: unknown[]) {
      const answer = await Reflect.apply(real[name], this, given);
      calls.push(name);
      return answer;
    };
  }
  try {
    await action();
  } finally {
    Object.assign(handle, real);
  }
  return calls;
}

Deno.test("in Node a write is on the medium when its sync is answered, and is read back at its place", () =>
  inFolder(async (folder) => {
    await files.makeFolder(folder);
    const small = Uint8Array.of(1, 2, 3);
    const large = new Uint8Array(64 * 1024).fill(7);
    for (const open of [files.create, files.open]) {
      const calls = await noting(async () => {
        const file = await open(`${folder}/file`);
        assertEquals(await file.write(small, 3), 3);
        assertEquals(await file.write(large, 6), large.length);
        await file.sync();
        assertEquals(await file.size(), 6 + large.length);
        const found = new Uint8Array(4);
        assertEquals(await file.read(found, 4), 4);
        assertEquals([...found], [2, 3, 7, 7]);
        assertEquals(await file.read(found, 6 + large.length), 0);
        await file.truncate(5);
        assertEquals(await file.size(), 5);
        await file.close();
      });
      assertEquals(calls, ["datasync"]);
    }
  }));

Deno.test("in Node a new folder is on the medium, and so are the folders above it", () =>
  inFolder(async (folder) => {
    assertEquals(await noting(() => files.makeFolder(`${folder}/a/b`)), Array(3).fill("sync"));
    assertEquals(await noting(() => files.makeFolder(`${folder}/a/b/`)), []);
  }));

Deno.test("in Node a failure has the error code of the system, and removing a missing file is none", () =>
  inFolder(async (folder) => {
    const outcomes = await Promise.allSettled([
      files.open(`${folder}/none`),
      files.openToRead(`${folder}/none`),
      files.list(`${folder}/none`),
      files.rename(`${folder}/none`, `${folder}/other`),
      files.create(`${folder}/none/file`),
      files.lock(`${folder}/none`),
    ]);
    const codes = outcomes.map((one) => one.status === "rejected" ? one.reason.code : "none");
    assertEquals(codes, Array(6).fill("ENOENT"));
    await files.makeFolder(folder);
    await files.remove(`${folder}/none`);
  }));

Deno.test("in Node an open file knows whether its path still leads to it", () =>
  inFolder(async (folder) => {
    await files.makeFolder(folder);
    const file = await files.create(`${folder}/one`);
    const at = `${folder}/one`;
    assertEquals(file.isAt(at), true);
    await files.rename(at, `${folder}/two`);
    assertEquals([file.isAt(at), file.isAt(`${folder}/two`)], [false, true]);
    const other = await files.create(at);
    assertEquals([file.isAt(at), other.isAt(at)], [false, true]);
    await other.close();
    await files.remove(at);
    await files.remove(`${folder}/two`);
    assertEquals(file.isAt(`${folder}/two`), false);
    await file.close();
    assertEquals(await files.list(folder), []);
  }));

Deno.test("in Node a folder can be locked only once at a time, whatever its files", () =>
  inFolder(async (folder) => {
    await files.makeFolder(folder);
    const lock = await files.lock(folder);
    assert(lock !== undefined);
    assertEquals(await files.list(folder), []);
    assertEquals(await files.lock(folder), undefined);
    lock.release();
    const again = await files.lock(folder);
    assert(again !== undefined);
    again.release();
  }));
