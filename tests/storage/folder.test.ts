/** The data folder: private, for one process, and never touched when another version wrote it. */
import { assertEquals, assertRejects } from "@std/assert";
import { crc32 } from "node:zlib";
import { StorageError } from "../../storage/storage-error.ts";
import { inspectLog, openLog } from "../../storage/log.ts";
import { repairLog } from "../../storage/repair.ts";
import { collecting, contentOf, inFolder, record, text } from "./texts.ts";

async function modeOf(path: string): Promise<string> {
  return ((await Deno.stat(path)).mode! & 0o777).toString(8);
}

Deno.test("The data folder and its files are the user's alone", () =>
  inFolder(async (folder) => {
    const log = await openLog(folder, { checkpoint: () => [record("state")] });
    await log.append(record("a"));
    await log.compact();
    assertEquals(await modeOf(folder), "700");
    for (const name of (await contentOf(folder)).keys()) {
      assertEquals(await modeOf(`${folder}/${name}`), "600", name);
    }
    await log.close();
  }));

for (const [name, open] of Object.entries({ openLog, inspectLog, repairLog })) {
  Deno.test(`A folder in use is refused by ${name}, with its name, and is free again after`, () =>
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

/** Writes a later version into a file's header, with a sum that is right. */
async function makeNewer(path: string): Promise<void> {
  const bytes = await Deno.readFile(path);
  const view = new DataView(bytes.buffer);
  view.setUint32(8, 3);
  view.setUint32(32, crc32(bytes.subarray(0, 32)));
  await Deno.writeFile(path, bytes);
}

Deno.test("A folder that an earlier version holds by its lock file is in use too", () =>
  inFolder(async (folder) => {
    await (await openLog(folder)).close();
    await Deno.writeTextFile(`${folder}/lock`, "");
    const earlier = await Deno.open(`${folder}/lock`, { write: true });
    await earlier.lock(true);
    await assertRejects(() => openLog(folder), StorageError, "in use by another process");
    earlier.close();
    await (await openLog(folder)).close();
  }));

Deno.test("Whoever deletes files in the folder does not free it", () =>
  inFolder(async (folder) => {
    const log = await openLog(folder);
    for await (const { name } of Deno.readDir(folder)) await Deno.remove(`${folder}/${name}`);
    await assertRejects(() => openLog(folder), StorageError, "in use by another process");
    await log.close();
  }));

for (const [name, open] of Object.entries({ openLog, inspectLog, repairLog })) {
  Deno.test(`A newer format version is refused by ${name}, and left untouched`, () =>
    inFolder(async (folder) => {
      const log = await openLog(folder, { segmentBytes: 60 });
      for (const one of ["first record", "second record"]) await log.append(record(one));
      await log.close();
      await makeNewer(`${folder}/00000002.log`);
      await Deno.writeFile(`${folder}/00000003.checkpoint.new`, record("left over"));
      const before = await contentOf(folder);
      const fault = await assertRejects(
        () => open(folder),
        StorageError,
        "00000002.log has format version 3: this program knows versions up to 2",
      );
      assertEquals(fault.fault, "newerFormat");
      assertEquals(await contentOf(folder), before);
    }));
}

Deno.test("What is left of a checkpoint that was cut off is removed at the next start", () =>
  inFolder(async (folder) => {
    await (await openLog(folder)).close();
    await Deno.writeTextFile(`${folder}/00000002.checkpoint.new`, "unfinished");
    await (await openLog(folder)).close();
    assertEquals([...(await contentOf(folder)).keys()], []);
  }));

Deno.test("Files of others in the folder are neither read nor removed", () =>
  inFolder(async (folder) => {
    await (await openLog(folder)).close();
    await Deno.writeTextFile(`${folder}/notes.txt`, "mine");
    const { found, options } = collecting();
    const log = await openLog(folder, { ...options, checkpoint: () => [] });
    await log.compact();
    await log.close();
    assertEquals(found, []);
    assertEquals(await Deno.readTextFile(`${folder}/notes.txt`), "mine");
  }));

async function copyVersion(version: number, folder: string): Promise<void> {
  await Deno.mkdir(folder);
  const kept = new URL(`versions/${version}/`, import.meta.url);
  for await (const { name } of Deno.readDir(kept)) {
    await Deno.copyFile(new URL(name, kept), `${folder}/${name}`);
  }
}

for (const version of [1, 2]) {
  Deno.test(`No bit flipped in the headers of format version ${version} looks like a newer version`, () =>
    inFolder(async (folder) => {
      await copyVersion(version, folder);
      for (const [name, whole] of await contentOf(folder)) {
        for (let bit = 0; bit < 40 * 8; bit++) {
          const flipped = whole.slice();
          for (const place of version === 1 ? [0] : [0, 4096]) {
            flipped[place + (bit >> 3)]! ^= 1 << (bit & 7);
          }
          await Deno.writeFile(`${folder}/${name}`, flipped);
          const { recovery } = await inspectLog(folder);
          const harmless = version === 2 && bit >= 36 * 8;
          assertEquals(recovery.damage === undefined && recovery.cut === undefined, harmless);
        }
        await Deno.writeFile(`${folder}/${name}`, whole);
      }
    }));
}

/**
 * `versions/N` is a folder as version N of the format wrote it: three records, one of them newer.
 */
for (const version of [1, 2]) {
  Deno.test(`A folder of format version ${version} is read, and written on`, () =>
    inFolder(async (folder) => {
      await copyVersion(version, folder);
      const { found, options } = collecting();
      const log = await openLog(folder, options);
      assertEquals(found, ["state 1", "state 2", "event 3"]);
      await log.append(record("event 4"));
      await log.close();
      const lines: string[] = [];
      await inspectLog(folder, (payload, { file }) => void lines.push(`${file} ${text(payload)}`));
      assertEquals(lines.at(-1), version === 1 ? "00000003.log event 4" : "00000002.log event 4");
    }));
}
