/** `faderd log repair`: going on with the records that are proven good. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { decodeHeader, type Header } from "../../storage/format.ts";
import { encodeRecords } from "../../storage/records.ts";
import { repairLog } from "../../runtimes/deno/repair.ts";
import { StorageError } from "../../storage/storage-error.ts";
import {
  flip,
  flipHeaders,
  logOfThreeFiles,
  nineTexts,
  record,
  type SimulatedLog,
  simulatedLog,
  unreadable,
} from "./texts.ts";

const FIRST = "00000001.log";
const SECOND = "00000002.log";
const THIRD = "00000003.log";
const CHECKPOINT = "00000001.checkpoint";

/** The damaged part, the damage, the number of records before it, and the kept files. */
const damages = [
  ["a record", false, SECOND, flip(5140), 4, [SECOND, THIRD]],
  ["the first headers", false, FIRST, flipHeaders(0), 0, [FIRST, THIRD, SECOND]],
  ["a record of the checkpoint", true, CHECKPOINT, flip(4650), 1, [CHECKPOINT, SECOND, FIRST]],
  ["the checkpoint's headers", true, CHECKPOINT, flipHeaders(20), 0, [SECOND, FIRST, CHECKPOINT]],
  ["the segment behind the checkpoint", true, FIRST, flipHeaders(12), 3, [FIRST, SECOND]],
] as const;

for (const [what, checkpoint, file, harm, kept, names] of damages) {
  Deno.test(`Repair of ${what} keeps the records before the damage, and the damaged files beside them`, async () => {
    const { disk, open, repair, reopened } = await logOfThreeFiles(checkpoint);
    disk.tamper(file, harm);
    const damaged = disk.content(file);
    const repaired = await repair();
    assertEquals(repaired.found.damage?.file, file);
    assertEquals(repaired.kept, names.map((name) => `${name}.damaged`));
    assertEquals(disk.content(`${file}.damaged`), damaged);
    assertEquals((await reopened()).found, nineTexts.slice(0, kept));
    const log = await open();
    await log.append(record("after the repair"));
    await log.close();
    assertEquals((await reopened()).found, [...nineTexts.slice(0, kept), "after the repair"]);
  });

  Deno.test(`A power cut during any operation of a repair of ${what} loses no record and no file that it has to keep`, async () => {
    let cuts = 0;
    for (let operations = 1; operations < 60; operations++) {
      const one = await logOfThreeFiles(checkpoint, operations);
      const { disk, repair } = one;
      disk.tamper(file, harm);
      const damaged = disk.content(file);
      disk.failPowerIn(operations);
      await repair().catch(() => {});
      if (disk.isDown) cuts += 1;
      disk.restart("power");
      await repair();
      const expected = { found: nineTexts.slice(0, kept), isKept: true, state: "ok" };
      assertEquals(await afterRepair(one, damaged), expected, `cut at ${operations}`);
    }
    assert(cuts > 10, `${cuts} cuts`);
  });
}

/** The content that a repair may not lose: the records, and the files that are kept. */
async function afterRepair({ disk, reopened, names }: SimulatedLog, damaged: Uint8Array) {
  const { found, log } = await reopened();
  const quarantined = (await names()).filter((name) => name.includes(".damaged"));
  const isKept = quarantined.some((name) => disk.content(name).toHex() === damaged.toHex());
  return { found, isKept, state: log.condition.state };
}

Deno.test("Repair of an undamaged log changes nothing", async () => {
  const { disk, names, repair } = await logOfThreeFiles(false);
  const contents = async () => (await names()).map((name) => [name, disk.content(name)]);
  const before = await contents();
  assertEquals((await repair()).kept, []);
  assertEquals(await contents(), before);
});

Deno.test("A second repair keeps the files that the first one kept", async () => {
  const { disk, names, repair } = await logOfThreeFiles(false);
  disk.tamper(FIRST, flip(4630));
  await repair();
  disk.tamper("00000002.checkpoint", flipHeaders(20));
  const { kept } = await repair();
  assert(kept.includes(`${SECOND}.damaged-2`), kept.join());
  assert((await names()).includes(`${SECOND}.damaged`));
});

for (
  const [what, checkpoint, file, harm, lost, offset, bytes] of [
    ["a payload", false, SECOND, flip(5140), [4], 4632, 1000],
    ["the header of a record", false, SECOND, flip(5121), [4], 4632, 1000],
    ["two records", false, FIRST, flip(4610, 5140), [0, 1], 4608, 1024],
    ["the checkpoint", true, CHECKPOINT, flip(4640), [1], 4632, 24],
    ["the last record of the checkpoint", true, CHECKPOINT, flip(4660), [2], 4656, 24],
    ["both headers", false, SECOND, flipHeaders(9), [], 0, 4608],
    ["both headers of the last segment", false, THIRD, flipHeaders(9), [], 0, 4608],
    ["both headers of the checkpoint", true, CHECKPOINT, flipHeaders(9), [], 0, 4608],
  ] as const
) {
  Deno.test(`Repair that skips passes over ${what}, reports it, and keeps all other records`, async () => {
    const { disk, repair, reopened } = await logOfThreeFiles(checkpoint);
    disk.tamper(file, harm);
    const damaged = disk.content(file);
    const { skipped, kept, records } = await repair({ skip: true });
    const gaps = skipped.map(({ file, offset, bytes }) => ({ file, offset, bytes }));
    assertEquals(gaps, [{ file, offset, bytes }]);
    assertEquals(kept, [`${file}.damaged`]);
    assertEquals(disk.content(`${file}.damaged`), damaged);
    const { found } = await reopened();
    assertEquals(found, nineTexts.filter((_, at) => !lost.some((one) => one === at)));
    assertEquals(records, found.length);
  });
}

for (const [what, place] of [["header", 4608], ["payload", 4700]] as const) {
  Deno.test(`Repair that skips the ${what} of a record takes no forged record out of its payload`, async () => {
    const { disk, open, repair, reopened } = simulatedLog();
    const log = await open();
    const forged = [0, 1, 2].flatMap((salt) => {
      return [...encodeRecords([record("forged".repeat(20))], { salt, end: 4608 })];
    });
    for (const one of [Uint8Array.from(forged), record("next")]) await log.append(one);
    await log.close();
    disk.tamper(FIRST, flip(place));
    await repair({ skip: true });
    assertEquals((await reopened()).found, ["next"]);
  });
}

Deno.test("Behind a valid header the search goes on at the end of its record, whatever its payload", async () => {
  const { disk, open, repair, reopened } = simulatedLog();
  const log = await open();
  for (const text of ["x".repeat(1000), "next"]) await log.append(record(text));
  await log.close();
  disk.tamper(FIRST, (bytes) => {
    // As if a client knew the salt: a valid record inside the payload of another.
    const { salt } = decodeHeader(bytes) as Header;
    bytes.set(encodeRecords([record("forged")], { salt, end: 5000 }), 5120);
    return bytes;
  });
  await repair({ skip: true });
  assertEquals((await reopened()).found, ["next"]);
});

/** A damaged log with a reserve of this many bytes, on a full medium. */
async function onFullMedium(reserveBytes: number) {
  const made = await logOfThreeFiles(false);
  const { disk, files } = made;
  disk.tamper(SECOND, flip(5140));
  const reserve = await files.create("data/reserve");
  await reserve.write(new Uint8Array(reserveBytes), 0);
  disk.capacity = disk.used;
  return made;
}

Deno.test("Repair on a full medium uses the space of the reserve", async () => {
  const { repair } = await onFullMedium(10_000);
  assertEquals((await repair()).records, 4);
});

Deno.test("Repair without space fails with the number of bytes that it needs, and leaves no copy behind", async () => {
  const { disk, names, repair } = await onFullMedium(512);
  const before = await names();
  const needed =
    /data could not be repaired: no space left on the medium; it takes about (\d+) bytes/;
  let bytes = 0;
  for (const left of [0, 1000]) {
    const fault = await assertRejects(() => repair(), StorageError);
    bytes = Number(needed.exec(fault.message)?.[1]);
    assertEquals(await names(), before);
    disk.capacity = disk.used + left;
  }
  disk.capacity = disk.used + bytes;
  assertEquals((await repair()).records, 4);
});

for (const skip of [false, true]) {
  Deno.test(`Repair ${skip ? "that skips " : ""}reads around unreadable sectors`, async () => {
    const { files: sound, reopened } = await logOfThreeFiles(false);
    const files = unreadable(sound, SECOND, 5120);
    const { found, skipped, kept } = await repairLog("data", { files, skip });
    const reason = "it could not be read: the medium failed";
    assertEquals([found.damage?.offset, found.damage?.reason], [4632, reason]);
    assertEquals(skipped.map(({ reason }) => reason), skip ? [reason] : []);
    assert(kept.includes(`${SECOND}.damaged`));
    const back = nineTexts.filter((_, at) => skip ? at !== 4 : at < 4);
    assertEquals((await reopened(files)).found, back);
  });

  for (const isDamaged of [true, false]) {
    const log = isDamaged ? "a damaged log" : "an undamaged log";
    Deno.test(`A temporary error at any read of a repair ${skip ? "that skips, " : ""}of ${log} loses nothing`, async () => {
      let reads = Infinity;
      let refused = 0;
      for (let failing = 1; failing <= reads; failing++) {
        const one = await logOfThreeFiles(true);
        const { disk, names, repair } = one;
        if (isDamaged) disk.tamper(FIRST, flip(5140));
        const damaged = disk.content(FIRST);
        const before = await names();
        let count = 0;
        disk.faults = (operation) => {
          if (!["read", "open", "size", "list"].includes(operation)) return undefined;
          return ++count === failing ? "EIO" : undefined;
        };
        const first = await repair({ skip }).catch((fault: Error) => fault);
        if (count < failing) reads = count;
        disk.faults = () => undefined;
        if (first instanceof Error) {
          refused += 1;
          assertEquals(await names(), before, `read ${failing}: ${first.message}`);
          await repair({ skip });
        }
        const good = nineTexts.filter((_, at) => !isDamaged || (skip ? at !== 4 : at < 4));
        const expected = { found: good, isKept: isDamaged, state: "ok" };
        assertEquals(await afterRepair(one, damaged), expected, `read ${failing}`);
      }
      assert(reads > 15 && refused > 5, `${refused} of ${reads} refused`);
    });
  }
}

Deno.test("Repair that skips keeps the damaged file, also if nothing behind the damage can be read", async () => {
  const { files: sound } = await logOfThreeFiles(false);
  const files = unreadable(sound, THIRD, 5632);
  const { found, kept, records } = await repairLog("data", { files, skip: true });
  assertEquals([found.damage?.offset, records], [5144, 8]);
  assertEquals(kept, [`${THIRD}.damaged`]);
});

Deno.test("The unfinished copy of a killed repair is removed, not kept as damaged", async () => {
  for (let operations = 1; operations < 40; operations++) {
    const { disk, names, repair, reopened } = await logOfThreeFiles(false, operations);
    disk.tamper(SECOND, flip(5140));
    const whole = disk.content(SECOND).length;
    disk.failPowerIn(operations);
    await repair().catch(() => {});
    disk.restart("kill");
    await repair();
    await reopened();
    const left = await names();
    for (const name of left.filter((name) => name.startsWith(`${SECOND}.damaged`))) {
      assertEquals([name, disk.content(name).length], [name, whole], `killed at ${operations}`);
    }
    assertEquals(left.filter((name) => name.endsWith(".new")), []);
  }
});
