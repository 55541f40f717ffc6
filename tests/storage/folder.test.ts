/** The data folder: private, for one process, and left untouched if another version wrote it. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { crc32 } from "node:zlib";
import { headerBytes, headerPlaces } from "../../storage/format.ts";
import { StorageError } from "../../storage/storage-error.ts";
import { inspectLog, openLog } from "../../runtimes/deno/log.ts";
import { repairLog } from "../../runtimes/deno/repair.ts";
import { openLog as openLogByNode } from "./node-log.ts";
import { contentOf, inFolder, record, simulatedLog } from "./texts.ts";

async function modeOf(path: string): Promise<string> {
  return ((await Deno.stat(path)).mode! & 0o777).toString(8);
}

for (const [name, open] of Object.entries({ Deno: openLog, Node: openLogByNode })) {
  Deno.test(`Only the user has access to the data folder and its files, with the file system of ${name}`, () =>
    inFolder(async (folder) => {
      const log = await open(folder, { checkpoint: () => [record("state")] });
      await log.append(record("a"));
      await log.compact();
      assertEquals(await modeOf(folder), "700");
      for (const name of (await contentOf(folder)).keys()) {
        assertEquals(await modeOf(`${folder}/${name}`), "600", name);
      }
      await log.close();
    }));
}

const ways = { openLog, inspectLog, repairLog, "openLog on Node's file system": openLogByNode };

for (const [name, open] of Object.entries(ways)) {
  Deno.test(`${name} refuses a folder in use, with its name, and takes it once it is free`, () =>
    inFolder(async (folder) => {
      const log = await openLog(folder);
      const fault = await assertRejects(
        () => open(folder),
        StorageError,
        `the data folder ${folder} is in use by another process`,
      );
      assertEquals(fault.fault, "inUse");
      await log.close();
      await open(folder);
    }));
}

Deno.test("A folder in use by Deno is refused to Node, and a folder in use by Node to Deno", () =>
  inFolder(async (folder) => {
    for (const [one, other] of [[openLog, openLogByNode], [openLogByNode, openLog]] as const) {
      const log = await one(folder);
      const fault = await assertRejects(() => other(folder), StorageError);
      assertEquals(fault.fault, "inUse");
      await log.append(record("a"));
      await log.close();
    }
    const log = await openLog(folder);
    assertEquals(log.recovery, { records: 2, bytes: 2 });
    await log.close();
  }));

/** The offset of the checksum of a header in each version, in bytes. */
const sums: Readonly<Record<number, number>> = { 1: 28, 2: 32, 3: 44, 5: 44 };

/** Writes another version into the header of a file, with a valid checksum. */
async function changeVersion(path: string, version: number): Promise<void> {
  const bytes = await Deno.readFile(path);
  const view = new DataView(bytes.buffer);
  view.setUint32(8, version);
  view.setUint32(sums[version]!, crc32(bytes.subarray(0, sums[version])));
  // Version 1 had only one header.
  bytes.fill(0, 4096, 4096 + 48);
  await Deno.writeFile(path, bytes);
}

Deno.test("Deleting files in the folder does not unlock it", () =>
  inFolder(async (folder) => {
    const log = await openLog(folder);
    for await (const { name } of Deno.readDir(folder)) await Deno.remove(`${folder}/${name}`);
    await assertRejects(() => openLog(folder), StorageError, "in use by another process");
    await log.close();
  }));

for (const [name, open] of Object.entries({ openLog, inspectLog, repairLog })) {
  Deno.test(`${name} refuses any other format version, naming both versions and how to bring the data over, and leaves it untouched`, async () => {
    for (const version of [1, 2, 3, 5]) {
      await inFolder(async (folder) => {
        const log = await openLog(folder, { segmentBytes: 60 });
        for (const one of ["first record", "second record"]) await log.append(record(one));
        await log.close();
        await changeVersion(`${folder}/00000002.log`, version);
        await Deno.writeFile(`${folder}/00000003.checkpoint.new`, record("left over"));
        const before = await contentOf(folder);
        const fault = await assertRejects(
          () => open(folder),
          StorageError,
          `00000002.log has format version ${version}, and this program reads and writes version 4 ` +
            "alone: make a backup with the program that wrote it, and restore that into a new folder; " +
            "levels, labels and pictures are not part of it",
        );
        assertEquals(fault.fault, "otherFormat");
        assertEquals(await contentOf(folder), before);
      });
    }
  });
}

Deno.test("A flipped bit in the headers of a file never looks like another version", async () => {
  const { disk, files, open } = simulatedLog({ checkpoint: () => [record("state")] });
  const log = await open();
  await log.compact();
  await log.append(record("event"));
  await log.close();
  for (const name of ["00000001.checkpoint", "00000001.log"]) {
    for (let bit = 0; bit < headerBytes * 8; bit++) {
      const flip = () => headerPlaces.forEach((place) => disk.flip(name, place * 8 + bit));
      flip();
      const { recovery } = await inspectLog("data", () => {}, files);
      assert(recovery.damage !== undefined, `bit ${bit} of ${name}`);
      flip();
    }
  }
});

Deno.test("Unfinished files are removed at the next start, and foreign files are neither read nor removed", async () => {
  const { disk, files, open, reopened } = simulatedLog({ checkpoint: () => [] });
  disk.tamper("00000002.checkpoint.new", () => record("unfinished"));
  disk.tamper("notes.txt", () => record("mine"));
  const log = await open();
  assertEquals(await files.list("data"), ["notes.txt"]);
  await log.compact();
  await log.close();
  assertEquals((await reopened()).found, []);
  assertEquals(disk.content("notes.txt"), record("mine"));
});
