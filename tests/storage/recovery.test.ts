/** Recovery: cuts, damage and the records given back, by the cases of `docs/storage.md`. */
import { assertEquals, assertRejects } from "@std/assert";
import { StorageError } from "../../storage/storage-error.ts";
import type { FileSystem } from "../../storage/file-system.ts";
import {
  decodeHeader,
  encodeHeader,
  type Header,
  headerBytes,
  headerPlaces,
  markOf,
  recordHeaderBytes,
  recordsFrom,
  writeAfter,
} from "../../storage/format.ts";
import { inspectLog, openLog } from "../../runtimes/deno/log.ts";
import { encodeRecords } from "../../storage/records.ts";
import {
  appendAll,
  flip,
  flipHeaders,
  logOfThreeFiles,
  nineTexts,
  record,
  shorten,
  simulatedLog,
  text,
} from "./texts.ts";

const FIRST = "00000001.log";
const SECOND = "00000002.log";

/** A disk with 25 records of mixed sizes, written in groups of mixed sizes. */
async function manyRecords() {
  const { disk, open, reopened } = simulatedLog();
  const texts = Array.from({ length: 25 }, (_, at) => `${at}:${"x".repeat(at * 37 % 101)}`);
  const log = await open();
  let end = recordsFrom;
  const starts: number[] = [];
  const ends: number[] = [];
  for (let at = 0; at < texts.length; at += 1 + at % 4) {
    const together = texts.slice(at, at + 1 + at % 4);
    await appendAll(log, together);
    end = writeAfter(end);
    for (const { length } of together) {
      starts.push(end);
      ends.push(end += recordHeaderBytes + length);
    }
  }
  await log.close();
  const whole = disk.content(FIRST);
  const replace = (content: Uint8Array) => disk.tamper(FIRST, () => content);
  /** The offset of every byte of a record, without the bytes that fill up a sector. */
  const held = starts.flatMap((start, one) =>
    Array.from({ length: ends[one]! - start }, (_, at) => start + at)
  );
  return { disk, reopened, texts, starts, ends, held, whole, replace };
}

Deno.test("A log of 25 records that was not closed, cut at any byte, gives back every whole record", async () => {
  const { reopened, texts, ends, held, whole, replace } = await manyRecords();
  assertEquals(whole.length, writeAfter(ends.at(-1)!) + 1);
  // Of the zeros behind a header, one byte in 64 is enough.
  const headers = Array.from({ length: recordsFrom }, (_, at) => at)
    .filter((at) => at % 4096 < 64 || at % 64 === 0);
  for (const length of [...headers, ...held, ...ends]) {
    if (markOf(length) !== undefined) continue;
    replace(whole.slice(0, length));
    const { found, recovery } = await reopened();
    const kept = ends.filter((end) => end <= length).length;
    assertEquals(found, texts.slice(0, kept), `cut at ${length}`);
    const end = ends[kept - 1] ?? (length < headerBytes ? 0 : recordsFrom);
    const torn = whole.subarray(end, Math.max(end, length)).some((byte) => byte !== 0);
    const expected = torn
      ? { file: FIRST, segment: 1, offset: end, bytes: length - end }
      : undefined;
    assertEquals([recovery.cut, recovery.damage], [expected, undefined]);
  }
});

for (const isClosed of [true, false]) {
  const [what, then] = isClosed ? ["", "damage"] : [" that was not closed", "cut"];
  Deno.test(`A flip of any bit of the last record of a log${what} is ${then}, and the other records come back`, async () => {
    const { disk, reopened, texts, starts, ends, whole, replace } = await manyRecords();
    for (let bit = starts.at(-1)! * 8; bit < ends.at(-1)! * 8; bit++) {
      replace(whole.slice(0, isClosed ? whole.length : -1));
      disk.flip(FIRST, bit);
      const { found, recovery } = await reopened();
      assertEquals(found, texts.slice(0, -1), `bit ${bit}`);
      assertEquals(recovery.cut?.offset, isClosed ? undefined : ends.at(-2));
      assertEquals(recovery.damage?.offset, isClosed ? ends.at(-2) : undefined);
    }
  });
}

Deno.test("A sector of zeros in a closed segment is damage, also the last sector", async () => {
  const { reopened, texts, ends, whole, replace } = await manyRecords();
  for (let at = recordsFrom; at < whole.length - 1; at += 512) {
    replace(whole.slice().fill(0, at, at + 512));
    const { found, recovery } = await reopened();
    const kept = ends.filter((end) => end <= at).length;
    assertEquals(found, texts.slice(0, kept), `sector at ${at}`);
    assertEquals(recovery.damage?.offset, ends[kept - 1] ?? recordsFrom);
  }
});

Deno.test("A closed segment whose continuation was cut off at once is not damaged", async () => {
  const { reopened, texts, whole, replace } = await manyRecords();
  // Its new length was lost, and the first byte of the next record was written.
  replace(whole.slice().fill(7, -1));
  const { found, recovery } = await reopened();
  assertEquals([found, recovery.damage, recovery.cut], [texts, undefined, undefined]);
});

Deno.test("Bytes behind the zeros that a segment is lengthened by are cut, and nothing before them", async () => {
  const { reopened, texts, ends, whole, replace } = await manyRecords();
  replace(Uint8Array.from([...shorten(1)(whole), ...new Uint8Array(65536), ...record("torn")]));
  const { found, recovery } = await reopened();
  assertEquals([found, recovery.damage, recovery.cut?.offset], [texts, undefined, ends.at(-1)]);
});

Deno.test("A damaged byte before the last write is damage from its record on, with the place", async () => {
  const { disk, reopened, texts, starts, ends, held, whole, replace } = await manyRecords();
  // Not closed: only the last write proves which records were acknowledged.
  replace(whole.slice(0, -1));
  const lastWrite = writeAfter(new DataView(whole.buffer).getUint32(starts.at(-1)! + 8));
  for (const at of held.filter((at) => at < lastWrite)) {
    disk.flip(FIRST, at * 8 + 4);
    const { found, log, recovery } = await reopened();
    const kept = ends.filter((end) => end <= at).length;
    const offset = ends[kept - 1] ?? recordsFrom;
    assertEquals(found, texts.slice(0, kept));
    assertEquals([recovery.damage?.file, recovery.damage?.offset], [FIRST, offset]);
    const why = `the change could not be stored: data/${FIRST} is damaged at offset ${offset}`;
    await assertRejects(() => log.append(record("more")), StorageError, why);
    disk.flip(FIRST, at * 8 + 4);
  }
});

Deno.test("A flip of any bit of one header is no damage: the other header replaces it", async () => {
  const { disk, reopened, texts } = await manyRecords();
  for (const place of headerPlaces) {
    for (let bit = place * 8; bit < (place + headerBytes) * 8; bit++) {
      disk.flip(FIRST, bit);
      const { found, recovery } = await reopened();
      assertEquals(found, texts, `bit ${bit}`);
      assertEquals([recovery.cut, recovery.damage], [undefined, undefined]);
      disk.flip(FIRST, bit);
    }
  }
});

Deno.test("A cut end is removed from the file, and the log goes on behind the good records", async () => {
  // A part of the last record is missing, or one of its bits is wrong in a segment not closed.
  for (const harm of [shorten(500), (bytes: Uint8Array) => flip(5650)(shorten(1)(bytes))]) {
    const { disk, open, reopened } = await logOfThreeFiles(false);
    disk.tamper("00000003.log", harm);
    const log = await open();
    assertEquals(log.recovery.cut?.offset, 5144);
    assertEquals(disk.content("00000003.log").length, 5632);
    await log.append(record("next"));
    await log.close();
    const { found, recovery } = await reopened();
    assertEquals([found, recovery.cut], [[...nineTexts.slice(0, 8), "next"], undefined]);
  }
});

for (
  const [what, checkpoint, file, harm, kept, offset] of [
    ["a record of an older segment", false, FIRST, flip(4608 + 20), 0, 4608],
    ["the end of an older segment", false, FIRST, shorten(491), 2, 5144],
    ["a whole record off an older segment", false, SECOND, shorten(512), 5, 5144],
    ["the headers of an older segment", false, SECOND, flipHeaders(3), 3, 0],
    ["the headers of the last segment", false, "00000003.log", flipHeaders(16), 6, 0],
    [
      "the same, not closed, as later records show that some were acknowledged",
      false,
      "00000003.log",
      (
        bytes: Uint8Array,
      ) => flipHeaders(16)(shorten(1)(bytes)),
      6,
      0,
    ],
    ["a record of the checkpoint", true, "00000001.checkpoint", flip(4632 + 18), 1, 4632],
    ["the end of the checkpoint", true, "00000001.checkpoint", shorten(460), 2, 4656],
    ["the headers of the checkpoint", true, "00000001.checkpoint", flipHeaders(31), 0, 0],
    ["the headers of the checkpoint's segment", true, FIRST, flipHeaders(12), 3, 0],
  ] as const
) {
  Deno.test(`Damage to ${what} is never skipped, and the file is left unchanged`, async () => {
    const { disk, files, names, reopened } = await logOfThreeFiles(checkpoint);
    disk.tamper(file, harm);
    const contents = async () => (await names()).map((name) => [name, disk.content(name)]);
    const before = await contents();
    const { found, recovery, log } = await reopened();
    assertEquals(found, nineTexts.slice(0, kept));
    assertEquals([recovery.damage?.file, recovery.damage?.offset], [file, offset]);
    if (offset === 0) assertEquals(recovery.damage?.reason, "the header is not valid");
    assertEquals(log.condition.state, "damaged");
    assertEquals((await inspectLog("data", () => {}, files)).recovery, recovery);
    assertEquals(await contents(), before);
  });
}

Deno.test("A damaged log releases its folder once, however often it is closed", async () => {
  const { disk, files } = await logOfThreeFiles(false);
  disk.tamper(FIRST, flip(4608 + 20));
  let released = 0;
  const counting: FileSystem = {
    ...files,
    async lock(folder) {
      const lock = await files.lock(folder);
      return lock && {
        release() {
          released++;
          lock.release();
        },
      };
    },
  };
  const log = await openLog("data", { files: counting });
  assertEquals(log.condition.state, "damaged");
  await log.close();
  await log.close();
  assertEquals(released, 1);
});

for (
  const [missing, checkpoint, kept] of [
    [FIRST, false, 0],
    [SECOND, false, 3],
    ["00000003.log", false, 6],
    [FIRST, true, 3],
  ] as const
) {
  Deno.test(`A missing ${missing} ${checkpoint ? "behind a checkpoint " : ""}is damage`, async () => {
    const { files, repair, reopened } = await logOfThreeFiles(checkpoint);
    await files.remove(`data/${missing}`);
    const { found, recovery } = await reopened();
    assertEquals(found, nineTexts.slice(0, kept));
    const segment = Number(missing.slice(0, 8));
    const damage = { file: missing, segment, offset: 0, reason: "the file is missing" };
    assertEquals(recovery.damage, damage);
    const { skipped } = await repair({ skip: true });
    assertEquals(skipped[0]?.file, missing);
    const behind = nineTexts.slice(checkpoint ? 6 : kept + 3);
    assertEquals((await reopened()).found, [...nineTexts.slice(0, kept), ...behind]);
  });
}

for (
  const [what, isCompacted] of [
    ["only segment is damage: the reserve shows", false],
    ["segment behind a checkpoint is damage: the checkpoint shows", true],
  ] as const
) {
  Deno.test(`A missing ${what} that there was one`, async () => {
    const { files, open, repair, reopened } = simulatedLog({ checkpoint: () => [record("state")] });
    const log = await open();
    await log.append(record("a"));
    if (isCompacted) await log.compact();
    await log.close();
    const file = isCompacted ? SECOND : FIRST;
    await files.remove(`data/${file}`);
    const { damage } = (await reopened()).recovery;
    const segment = isCompacted ? 2 : 1;
    assertEquals(damage, { file, segment, offset: 0, reason: "the file is missing" });
    await repair();
    assertEquals((await reopened()).found, isCompacted ? ["state"] : []);
  });
}

for (const ending of ["power", "kill"] as const) {
  Deno.test(`A first append that ends anywhere by a ${ending} leaves a log without damage`, async () => {
    let isStored = false;
    for (let operations = 1; !isStored; operations++) {
      const { disk, open, reopened } = simulatedLog({}, operations);
      const log = await open({ checkpoint: () => [record("state")] });
      disk.failPowerIn(operations);
      await log.append(record("a")).catch(() => {});
      isStored = !disk.isDown;
      disk.restart(ending);
      assertEquals((await reopened()).recovery.damage, undefined, `${operations}`);
    }
  });
}

for (
  const [what, checkpoint, file, kept] of [
    ["the first segment", false, FIRST, []],
    ["a segment", false, SECOND, [0, 1, 2]],
    ["the last segment", false, "00000003.log", [0, 1, 2, 3, 4, 5]],
    ["the checkpoint", true, "00000001.checkpoint", undefined],
    ["the segment behind a checkpoint", true, FIRST, [0, 1, 2]],
    ["a file behind the end", true, "00000003.log", [0, 1, 2, 3, 4, 5, 6, 7, 8]],
  ] as const
) {
  Deno.test(`A file of another console instead of ${what} is damage, and a repair keeps the file`, async () => {
    const { disk, repair, reopened } = await logOfThreeFiles(checkpoint);
    const other = await logOfThreeFiles(file.endsWith(".checkpoint"));
    const foreign = other.disk.content(file);
    disk.tamper(file, () => foreign);
    assertEquals((await reopened()).recovery.damage?.file, file);
    await repair();
    assertEquals(disk.content(`${file}.damaged`), foreign);
    const { found, recovery } = await reopened();
    assertEquals(recovery.damage, undefined);
    if (kept !== undefined) assertEquals(found, kept.map((at) => nineTexts[at]));
  });
}

Deno.test("An older copy of a segment of the same console is damage: the next segment does not follow it", async () => {
  const { disk, files, open, repair, reopened } = simulatedLog({ segmentBytes: 5500 });
  const log = await open();
  await log.append(record("0"));
  await log.close();
  const old = disk.content(FIRST);
  await repair();
  await files.remove(`data/${FIRST}`);
  const again = await open();
  for (const text of ["a", "b", "c", "d"]) await again.append(record(text));
  await again.close();
  // It has the number of the same log.
  const { log: number } = decodeHeader(disk.content(FIRST)) as Header;
  const same = encodeHeader({ ...decodeHeader(old) as Header, log: number });
  for (const place of headerPlaces) old.set(same, place);
  disk.tamper(FIRST, () => old);
  const { damage } = (await reopened()).recovery;
  assertEquals([damage?.file, damage?.reason], [SECOND, `it does not follow ${FIRST}`]);
});

Deno.test("A dump gives every record with its segment and offset", async () => {
  const { files } = await logOfThreeFiles(true);
  const lines: string[] = [];
  await inspectLog("data", (payload, { file, offset }) => {
    lines.push(`${file} ${offset} ${text(payload)}`);
  }, files);
  assertEquals(lines.length, 9);
  assertEquals(lines[0], "00000001.checkpoint 4608 record 0");
  assertEquals(lines[3], "00000001.log 4608 record 3");
  assertEquals(lines[8], "00000002.log 5632 record 8");
});

Deno.test("A log whose replay throws is not locked afterwards", async () => {
  const { open, reopened } = simulatedLog();
  const log = await open();
  await log.append(record("a"));
  await log.close();
  const replay = () => {
    throw new Error("not known");
  };
  await assertRejects(() => open({ replay }), Error, "not known");
  assertEquals((await reopened()).found, ["a"]);
});

Deno.test("After a flip of any bit of a log of several files a prefix of the records comes back, and the damage is named", async () => {
  const { disk, files, reopened } = await logOfThreeFiles(true);
  assertEquals((await reopened()).found, nineTexts);
  const held = new Set<string>();
  await inspectLog("data", ({ length }, { file, offset }) => {
    for (let at = 0; at < recordHeaderBytes + length; at++) held.add(`${file} ${offset + at}`);
  }, files);
  for (const name of await files.list("data")) {
    const { length } = disk.content(name);
    for (let bit = 0; bit < length * 8; bit++) {
      const isRecord = held.has(`${name} ${bit >> 3}`);
      // Of the zeros that fill up sectors, one byte in a hundred is enough.
      if (!isRecord && (bit >> 3) % 4096 >= headerBytes && bit % 800 > 0) continue;
      disk.flip(name, bit);
      const { found, recovery: { cut, damage } } = await reopened();
      assertEquals(found, nineTexts.slice(0, found.length), `bit ${bit} of ${name}`);
      assertEquals(found.length < 9, isRecord, `bit ${bit} of ${name}`);
      // The bytes that fill up the last sector of a closed segment may have been a record.
      const isFilling = name === SECOND && bit >> 3 >= 5656 && bit >> 3 < length - 1;
      assertEquals([damage !== undefined, cut], [isRecord || isFilling, undefined]);
      disk.flip(name, bit);
    }
  }
});

for (const texts of [["the first user"], ["admin", "level"]]) {
  Deno.test(`A log of one segment with ${texts.length} writes and two invalid headers is damage, not a new log`, async () => {
    const { disk, open, reopened } = simulatedLog();
    const log = await open();
    for (const one of texts) await log.append(record(one));
    disk.restart("kill");
    disk.tamper(FIRST, flipHeaders(16));
    const { recovery, log: { condition } } = await reopened();
    assertEquals([recovery.quarantined, recovery.damage?.file], [undefined, FIRST]);
    assertEquals(condition.state, "damaged");
  });
}

Deno.test("A first segment with a header unfinished by a power cut, and nothing behind it, is not damage", async () => {
  const { disk, reopened } = simulatedLog();
  disk.tamper(FIRST, () => new Uint8Array(recordsFrom + 65536).fill(7, 0, 20));
  const { quarantined, damage, records } = (await reopened()).recovery;
  assertEquals([quarantined, damage, records], [undefined, undefined, 0]);
});

/** One write in a segment of its own with two invalid headers: torn, or damaged later. */
async function oneWrite(isFollowed = false) {
  const made = simulatedLog();
  const { disk, open } = made;
  const log = await open({ segmentBytes: 1 });
  for (const text of ["before", "one"]) await log.append(record(text));
  disk.restart("kill");
  disk.tamper(SECOND, flipHeaders(16));
  // Power failed before the medium had the length that says that a segment follows.
  if (!isFollowed) disk.tamper(FIRST, shorten(2));
  return { ...made, content: disk.content(SECOND) };
}

Deno.test("A single write behind invalid headers may be torn: the log goes on without it, and its file is kept", async () => {
  const { disk, files, open, reopened, content } = await oneWrite();
  const quarantined = { file: SECOND, keptAs: `${SECOND}.damaged`, bytes: content.length };
  assertEquals((await inspectLog("data", () => {}, files)).recovery.quarantined, quarantined);
  for (const text of ["first", "second"]) {
    const log = await open();
    assertEquals([log.condition, log.recovery.damage], [{ state: "ok" }, undefined]);
    assertEquals(log.recovery.quarantined, text === "first" ? quarantined : undefined);
    await log.append(record(text));
    disk.restart("power");
    assertEquals(disk.content(`${SECOND}.damaged`), content);
  }
  assertEquals((await reopened()).found, ["before", "first", "second"]);
});

Deno.test("A single write behind invalid headers is damage if the segment before shows that it was stored", async () => {
  const { recovery } = await (await oneWrite(true)).reopened();
  assertEquals([recovery.quarantined, recovery.damage?.file], [undefined, SECOND]);
});

Deno.test("Content of a client in a torn write is not taken for a record", async () => {
  const { disk, reopened } = await oneWrite();
  // The header of a large record is written last; behind it stand records that a client forged.
  disk.tamper(SECOND, () => {
    const bytes = new Uint8Array(65536);
    for (const [index, salt] of [0, 0, 1, 4608].entries()) {
      const end = recordsFrom + 1024 * (index + 1);
      bytes.set(encodeRecords([record("forged")], { salt, end }), end);
    }
    return bytes;
  });
  const { recovery } = await reopened();
  assertEquals([recovery.damage, recovery.quarantined?.keptAs], [undefined, `${SECOND}.damaged`]);
});

Deno.test("A possibly torn write is quarantined once the medium allows it, under a free name", async () => {
  const { disk, files, open, content } = await oneWrite();
  disk.tamper(`${SECOND}.damaged`, () => record("earlier"));
  for (const fails of ["rename", "syncFolder"]) {
    disk.faults = (operation) => operation === fails ? "EROFS" : undefined;
    const log = await open();
    assertEquals(log.condition.state, "readonly");
    disk.faults = () => undefined;
    await log.append(record("next"));
    await log.close();
    assertEquals(disk.content(`${SECOND}.damaged-2`), content);
    disk.tamper(SECOND, () => content);
    await files.remove(`data/${SECOND}.damaged-2`);
  }
  assertEquals(disk.content(`${SECOND}.damaged`), record("earlier"));
});

/** A log whose power failed once a checkpoint was renamed and `removals` old files were removed. */
async function halfReplaced(removals: number) {
  const made = simulatedLog();
  const { disk, names, open } = made;
  let left = removals;
  const files: FileSystem = {
    ...disk.files,
    remove: (path) => left-- > 0 ? disk.files.remove(path) : Promise.reject(new Error("power")),
  };
  const early = await open({ checkpoint: () => [record("empty")] });
  await early.compact();
  await early.close();
  const log = await openLog("data", { files, checkpoint: () => [record("state of 0 to 5")] });
  for (let at = 0; at < 6; at++) await log.append(record(`${at}`));
  await log.compact().catch(() => {});
  await log.append(record("6"));
  disk.restart("kill");
  const newest = (await names()).filter((name) => name.endsWith(".checkpoint")).at(-1)!;
  return { ...made, newest };
}

for (const [what, harm] of [["a record", flip(4620)], ["its headers", flipHeaders(9)]] as const) {
  Deno.test(`While all files that a checkpoint replaces are there, damage to ${what} makes the log read those, and keep them`, async () => {
    const { disk, names, open, reopened, newest } = await halfReplaced(0);
    disk.tamper(newest, harm);
    const log = await open();
    assertEquals([log.condition.state, log.recovery.damage], ["ok", undefined]);
    await log.append(record("7"));
    disk.restart("power");
    const found = (await reopened()).found;
    assertEquals(found, ["empty", "0", "1", "2", "3", "4", "5", "6", "7"]);
    assertEquals((await names()).includes(newest), false);
  });
}

Deno.test("A whole checkpoint is read instead of the files that it replaces, however many of them are left", async () => {
  for (const removals of [0, 1, 2]) {
    const { reopened } = await halfReplaced(removals);
    assertEquals((await reopened()).found, ["state of 0 to 5", "6"]);
  }
});

Deno.test("A damaged checkpoint, of whose replaced files some are gone, is damage, and nothing is removed", async () => {
  for (const removals of [1, 2]) {
    const { disk, names, reopened, newest } = await halfReplaced(removals);
    disk.tamper(newest, flip(4620));
    const before = await names();
    assertEquals((await reopened()).recovery.damage?.file, newest);
    assertEquals(await names(), before);
  }
});

Deno.test("A damaged checkpoint, whose predecessor was overwritten as the reserve, is read up to the damage, and repaired", async () => {
  const { disk, open, repair, reopened } = simulatedLog();
  const log = await open({ checkpoint: () => [record("state"), record("more of it")] });
  await log.compact();
  await log.append(record("a"));
  const segment = disk.content(FIRST);
  await log.compact();
  disk.faults = (operation) => operation === "rename" ? "EIO" : undefined;
  await assertRejects(() => log.compact(), Error, "compaction failed");
  await log.close();
  disk.faults = () => undefined;
  // Power failed before the last renames of the second compaction were on the medium.
  disk.tamper(FIRST, () => segment);
  disk.tamper("00000001.checkpoint", () => disk.content("reserve"));
  disk.tamper("00000002.checkpoint", flip(4650));
  const { found, recovery } = await reopened();
  assertEquals([found, recovery.damage?.file], [["state"], "00000002.checkpoint"]);
  await repair();
  assertEquals((await reopened()).found, ["state"]);
});
