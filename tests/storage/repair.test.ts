/** `faderd log repair`: the choice to go on with what is proven good. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { denoFileSystem } from "../../runtimes/deno/file-system.ts";
import type { FileSystem } from "../../storage/file-system.ts";
import { decodeHeader, type Header } from "../../storage/format.ts";
import { openLog } from "../../runtimes/deno/log.ts";
import { encodeRecords } from "../../storage/records.ts";
import { repairLog } from "../../runtimes/deno/repair.ts";
import { StorageError } from "../../storage/storage-error.ts";
import { chanceOf } from "./random.ts";
import { createDisk, type SimulatedDisk } from "./simulated-disk.ts";
import { collecting, contentOf, inFolder, record, unreadable } from "./texts.ts";

const texts = Array.from({ length: 9 }, (_, at) => `record ${at}`);

/**
 * Nine records in three segments, or the first three in a checkpoint and the rest in two segments.
 */
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

function flipped(content: Uint8Array, places: readonly number[]): Uint8Array {
  return content.map((byte, at) => places.includes(at) ? byte ^ 1 : byte);
}

async function flip(path: string, ...places: number[]): Promise<Uint8Array> {
  const bytes = flipped(await Deno.readFile(path), places);
  await Deno.writeFile(path, bytes);
  return bytes;
}

/** A place in both headers of a file. */
const inHeaders = (at: number) => [at, 4096 + at];

const damages = [
  ["a record", false, "00000002.log", [5140], 4, ["00000002.log", "00000003.log"]],
  ["the first headers", false, "00000001.log", inHeaders(0), 0, [
    "00000001.log",
    "00000003.log",
    "00000002.log",
  ]],
  ["a record of the checkpoint", true, "00000001.checkpoint", [4650], 1, [
    "00000001.checkpoint",
    "00000002.log",
    "00000001.log",
  ]],
  ["the checkpoint's headers", true, "00000001.checkpoint", inHeaders(20), 0, [
    "00000002.log",
    "00000001.log",
    "00000001.checkpoint",
  ]],
  ["the segment behind the checkpoint", true, "00000001.log", inHeaders(12), 3, [
    "00000001.log",
    "00000002.log",
  ]],
] as const;

for (const [what, checkpoint, file, places, kept, names] of damages) {
  Deno.test(`Repair of ${what} keeps the records before the damage, and the damaged files beside them`, () =>
    inFolder(async (folder) => {
      await segments(folder, checkpoint);
      const damaged = await flip(`${folder}/${file}`, ...places);
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
    await flip(`${folder}/00000001.log`, 4630);
    await repairLog(folder);
    await flip(`${folder}/00000002.checkpoint`, ...inHeaders(20));
    const { kept } = await repairLog(folder);
    assert(kept.includes("00000002.log.damaged-2"), kept.join());
    assert((await contentOf(folder)).has("00000002.log.damaged"));
  }));

for (const [what, checkpoint, file, places, kept] of damages) {
  Deno.test(`A power cut during any operation of a repair of ${what} leaves all that it must keep`, async () => {
    let cuts = 0;
    for (let operations = 1; operations < 60; operations++) {
      const disk = createDisk(chanceOf(operations));
      const { files } = disk;
      await segments("data", checkpoint, files);
      let damaged = "";
      disk.tamper(file, (bytes) => {
        const changed = flipped(bytes, places);
        damaged = changed.toHex();
        return changed;
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

for (
  const [what, checkpoint, file, places, lost, gap] of [
    ["a payload", false, "00000002.log", [5140], [4], { offset: 4632, bytes: 1000 }],
    ["the header of a record", false, "00000002.log", [5121], [4], { offset: 4632, bytes: 1000 }],
    ["two records", false, "00000001.log", [4610, 5140], [0, 1], { offset: 4608, bytes: 1024 }],
    ["the checkpoint", true, "00000001.checkpoint", [4640], [1], { offset: 4632, bytes: 24 }],
    ["the last of the checkpoint", true, "00000001.checkpoint", [4660], [2], {
      offset: 4656,
      bytes: 24,
    }],
    ["both headers", false, "00000002.log", inHeaders(9), [], { offset: 0, bytes: 4608 }],
    ["both headers of the last segment", false, "00000003.log", inHeaders(9), [], {
      offset: 0,
      bytes: 4608,
    }],
    ["both headers of the checkpoint", true, "00000001.checkpoint", inHeaders(9), [], {
      offset: 0,
      bytes: 4608,
    }],
  ] as const
) {
  Deno.test(`Repair that skips passes over ${what}, says so, and keeps all else`, () =>
    inFolder(async (folder) => {
      await segments(folder, checkpoint);
      const damaged = await flip(`${folder}/${file}`, ...places);
      const { skipped, kept, records } = await repairLog(folder, { skip: true });
      assertEquals(skipped.map(({ file, offset, bytes }) => ({ file, offset, bytes })), [
        { file, ...gap },
      ]);
      assertEquals(kept, [`${file}.damaged`]);
      assertEquals(await Deno.readFile(`${folder}/${file}.damaged`), damaged);
      const { found, options } = collecting();
      await (await openLog(folder, options)).close();
      assertEquals(found, texts.filter((_, at) => !(lost as readonly number[]).includes(at)));
      assertEquals(records, found.length);
    }));
}

Deno.test("Repair that skips goes on behind a file that is missing", () =>
  inFolder(async (folder) => {
    await segments(folder, false);
    await Deno.remove(`${folder}/00000002.log`);
    const { skipped } = await repairLog(folder, { skip: true });
    assertEquals(skipped.map(({ file, reason }) => [file, reason]), [
      ["00000002.log", "the file is missing"],
    ]);
    const { found, options } = collecting();
    await (await openLog(folder, options)).close();
    assertEquals(found, [...texts.slice(0, 3), ...texts.slice(6)]);
  }));

/** Places of a byte to change. */
const harms: Record<string, number> = { "the header": 4608, "the payload": 4700 };

for (const [what, place] of Object.entries(harms)) {
  Deno.test(`Repair that skips ${what} of a record takes nothing out of what a client sent in it`, () =>
    inFolder(async (folder) => {
      const log = await openLog(folder);
      const forged = [0, 1, 2].flatMap((salt) => {
        return [...encodeRecords([record("forged".repeat(20))], { salt, end: 4608 })];
      });
      for (const one of [Uint8Array.from(forged), record("next")]) await log.append(one);
      await log.close();
      await flip(`${folder}/00000001.log`, place);
      await repairLog(folder, { skip: true });
      const { found, options } = collecting();
      await (await openLog(folder, options)).close();
      assertEquals(found, ["next"]);
    }));
}

Deno.test("Behind a header that is good the search goes on where its record ends, whatever is in it", () =>
  inFolder(async (folder) => {
    const log = await openLog(folder);
    await log.append(record("x".repeat(1000)));
    await log.append(record("next"));
    await log.close();
    const path = `${folder}/00000001.log`;
    const bytes = await Deno.readFile(path);
    // Somebody who knew the salt: a record that is right, inside the payload of another.
    const { salt } = decodeHeader(bytes) as Header;
    bytes.set(encodeRecords([record("forged")], { salt, end: 5000 }), 5120);
    await Deno.writeFile(path, bytes);
    await repairLog(folder, { skip: true });
    const { found, options } = collecting();
    await (await openLog(folder, options)).close();
    assertEquals(found, ["next"]);
  }));

/** A damaged log with a reserve of so many bytes, on a medium that is full. */
async function onFullMedium(reserveBytes: number) {
  const disk = createDisk(chanceOf(1));
  await segments("data", false, disk.files);
  disk.tamper("00000002.log", (bytes) => flipped(bytes, [5140]));
  const reserve = await disk.files.create("data/reserve");
  await reserve.write(new Uint8Array(reserveBytes), 0);
  disk.capacity = disk.used;
  return disk;
}

Deno.test("Repair on a full medium takes the room of the reserve", async () => {
  const { files } = await onFullMedium(10_000);
  assertEquals((await repairLog("data", { files })).records, 4);
});

Deno.test("Repair that finds no room says how much it takes, and leaves no copy behind", async () => {
  const disk = await onFullMedium(512);
  const logs = async () =>
    (await disk.files.list("data")).filter((name) => name !== "reserve").sort();
  const before = await logs();
  const needed =
    /data could not be repaired: no space left on the medium; it takes about (\d+) bytes/;
  let bytes = 0;
  for (const left of [0, 1000]) {
    const fault = await assertRejects(() => repairLog("data", { files: disk.files }), StorageError);
    bytes = Number(needed.exec(fault.message)?.[1]);
    assertEquals(await logs(), before);
    disk.capacity = disk.used + left;
  }
  disk.capacity = disk.used + bytes;
  assertEquals((await repairLog("data", { files: disk.files })).records, 4);
});

for (const skip of [false, true]) {
  Deno.test(`Repair ${skip ? "that skips " : ""}reads around what the medium does not give back`, async () => {
    const disk = createDisk(chanceOf(1));
    await segments("data", false, disk.files);
    const files = unreadable(disk.files, "00000002.log", 5120);
    const { found, skipped, kept } = await repairLog("data", { files, skip });
    assertEquals(found.damage?.offset, 4632);
    assertEquals(found.damage?.reason, "it could not be read: the medium failed");
    assertEquals(
      skipped.map(({ reason }) => reason),
      skip ? ["it could not be read: the medium failed"] : [],
    );
    assert(kept.includes("00000002.log.damaged"));
    const { found: back, options } = collecting();
    await (await openLog("data", { files, ...options })).close();
    assertEquals(back, skip ? texts.filter((_, at) => at !== 4) : texts.slice(0, 4));
  });
}

Deno.test("Repair that skips keeps what was damaged, also where nothing can be read behind it", async () => {
  const disk = createDisk(chanceOf(1));
  await segments("data", false, disk.files);
  const files = unreadable(disk.files, "00000003.log", 5632);
  const { found, kept, records } = await repairLog("data", { files, skip: true });
  assertEquals([found.damage?.offset, records], [5144, 8]);
  assertEquals(kept, ["00000003.log.damaged"]);
});

/** What a damaged log holds that a repair may not lose: its records, and what is kept beside. */
async function afterRepair(disk: SimulatedDisk, damaged: Uint8Array) {
  const { found, options } = collecting();
  await (await openLog("data", { files: disk.files, ...options })).close();
  const names = await disk.files.list("data");
  const aside = names.filter((name) => name.includes(".damaged"));
  return { found, isKept: aside.some((name) => disk.content(name).toHex() === damaged.toHex()) };
}

for (const skip of [false, true]) {
  for (const isDamaged of [true, false]) {
    const log = isDamaged ? "a damaged log" : "a log that is well";
    Deno.test(`A read error that passes, at each read of a repair ${skip ? "that skips, " : ""}of ${log}, loses nothing`, async () => {
      let reads = Infinity;
      let refused = 0;
      for (let failing = 1; failing <= reads; failing++) {
        const disk = createDisk(chanceOf(1));
        const { files } = disk;
        await segments("data", true, files);
        if (isDamaged) disk.tamper("00000001.log", (bytes) => flipped(bytes, [5140]));
        const damaged = disk.content("00000001.log");
        const before = (await files.list("data")).filter((name) => name !== "reserve").toSorted();
        let count = 0;
        disk.faults = (operation) => {
          if (!["read", "open", "size", "list"].includes(operation)) return undefined;
          return ++count === failing ? "EIO" : undefined;
        };
        const first = await repairLog("data", { files, skip }).catch((fault: Error) => fault);
        if (count < failing) reads = count;
        disk.faults = () => undefined;
        if (first instanceof Error) {
          refused += 1;
          const names = (await files.list("data")).filter((name) => name !== "reserve");
          assertEquals(names.toSorted(), before, `read ${failing}: ${first.message}`);
          await repairLog("data", { files, skip });
        }
        const { found, isKept } = await afterRepair(disk, damaged);
        const good = texts.filter((_, at) => skip ? at !== 4 : at < 4);
        assertEquals(found, isDamaged ? good : texts, `read ${failing}`);
        assertEquals(isKept, isDamaged, `read ${failing}`);
      }
      assert(reads > 15 && refused > 5, `${refused} of ${reads} refused`);
    });
  }
}

Deno.test("What a kill leaves of the copy that a repair makes is removed, not kept as damaged", async () => {
  for (let operations = 1; operations < 40; operations++) {
    const disk = createDisk(chanceOf(operations));
    const { files } = disk;
    await segments("data", false, files);
    disk.tamper("00000002.log", (bytes) => flipped(bytes, [5140]));
    const whole = disk.content("00000002.log").length;
    disk.failPowerIn(operations);
    await repairLog("data", { files }).catch(() => {});
    disk.restart("kill");
    await repairLog("data", { files });
    await (await openLog("data", { files })).close();
    const names = await files.list("data");
    for (const name of names.filter((name) => name.startsWith("00000002.log.damaged"))) {
      assertEquals([name, disk.content(name).length], [name, whole], `killed at ${operations}`);
    }
    assertEquals(names.filter((name) => name.endsWith(".new")), []);
  }
});
