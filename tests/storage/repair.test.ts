/** `faderd log repair`: the choice to go on with what is proven good. */
import { assert, assertEquals } from "@std/assert";
import { denoFileSystem } from "../../storage/deno/file-system.ts";
import type { FileSystem } from "../../storage/file-system.ts";
import { openLog } from "../../storage/log.ts";
import { repairLog } from "../../storage/repair.ts";
import { chanceOf } from "./random.ts";
import { createDisk } from "./simulated-disk.ts";
import { collecting, contentOf, inFolder, record } from "./texts.ts";

const texts = Array.from({ length: 9 }, (_, at) => `record ${at}`);

/** Nine records in three segments, or the first three in a checkpoint and the rest in two segments. */
async function segments(
  folder: string,
  checkpoint: boolean,
  files: FileSystem = denoFileSystem,
): Promise<void> {
  if (checkpoint) {
    const log = await openLog(folder, { files, checkpoint: () => texts.slice(0, 3).map(record) });
    await log.compact();
    await log.close();
  }
  const log = await openLog(folder, { files, segmentBytes: 5500 });
  for (const one of texts.slice(checkpoint ? 3 : 0)) await log.append(record(one));
  await log.close();
}

async function flip(path: string, at: number): Promise<Uint8Array> {
  const bytes = await Deno.readFile(path);
  bytes[at]! ^= 1;
  await Deno.writeFile(path, bytes);
  return bytes;
}

const damages = [
  ["a record", false, "00000002.log", 52, 4, ["00000002.log", "00000003.log"]],
  ["the last segment's header", false, "00000003.log", 16, 6, ["00000003.log"]],
  ["the first header", false, "00000001.log", 0, 0, [
    "00000003.log",
    "00000002.log",
    "00000001.log",
  ]],
  ["a record of the checkpoint", true, "00000001.checkpoint", 60, 1, [
    "00000001.checkpoint",
    "00000002.log",
    "00000001.log",
  ]],
  ["the checkpoint's header", true, "00000001.checkpoint", 20, 0, [
    "00000002.log",
    "00000001.log",
    "00000001.checkpoint",
  ]],
  ["the segment behind the checkpoint", true, "00000001.log", 12, 3, [
    "00000002.log",
    "00000001.log",
  ]],
] as const;

for (const [what, checkpoint, file, at, kept, names] of damages) {
  Deno.test(`Repair of ${what} keeps the records before the damage, and the damaged files beside them`, () =>
    inFolder(async (folder) => {
      await segments(folder, checkpoint);
      const damaged = await flip(`${folder}/${file}`, at);
      const { found, kept: aside } = await repairLog(folder);
      assertEquals(found.damage?.file, file);
      assertEquals(aside, names.map((name) => `${name}.damaged`));
      assertEquals(await Deno.readFile(`${folder}/${file}.damaged`), damaged);

      const first = collecting();
      const log = await openLog(folder, first.options);
      assertEquals(first.found, texts.slice(0, kept));
      await log.append(record("after the repair"));
      await log.close();
      const second = collecting();
      await (await openLog(folder, second.options)).close();
      assertEquals(second.found, [...texts.slice(0, kept), "after the repair"]);
    }));
}

Deno.test("Repair of a log that is well changes nothing", () =>
  inFolder(async (folder) => {
    await segments(folder, false);
    const before = await contentOf(folder);
    assertEquals((await repairLog(folder)).kept, []);
    assertEquals(await contentOf(folder), before);
  }));

Deno.test("A second repair keeps what the first one kept", () =>
  inFolder(async (folder) => {
    await segments(folder, false);
    await flip(`${folder}/00000001.log`, 35);
    await repairLog(folder);
    await segments(folder, false);
    await flip(`${folder}/00000001.log`, 35);
    const { kept } = await repairLog(folder);
    assert(kept.includes("00000001.log.damaged-2"), kept.join());
    assert((await contentOf(folder)).has("00000001.log.damaged"));
  }));

for (const [what, checkpoint, file, at, kept] of damages) {
  Deno.test(`A power cut during any operation of a repair of ${what} leaves all that it must keep`, async () => {
    let cuts = 0;
    for (let operations = 1; operations < 60; operations++) {
      const disk = createDisk(chanceOf(operations));
      const { files } = disk;
      await segments("data", checkpoint, files);
      let damaged = "";
      disk.tamper(file, (bytes) => {
        bytes[at]! ^= 1;
        damaged = bytes.toHex();
        return bytes;
      });
      disk.failPowerIn(operations);
      await repairLog("data", { files }).catch(() => {});
      if (disk.isDown) cuts += 1;
      disk.restart("power");
      await repairLog("data", { files });
      const { found, options } = collecting();
      const log = await openLog("data", { files, ...options });
      assertEquals(log.condition, { state: "ok" });
      assertEquals(found, texts.slice(0, kept), `cut at ${operations}`);
      const aside = (await files.list("data")).filter((name) => name.includes(".damaged"));
      assert(aside.some((name) => disk.content(name).toHex() === damaged), aside.join());
      await log.close();
    }
    assert(cuts > 10, `${cuts} cuts`);
  });
}
