/** What is cut, what is damage, and what is given back: cases of the page `docs/storage.md`. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { StorageError } from "../../storage/storage-error.ts";
import { denoFileSystem } from "../../runtimes/deno/file-system.ts";
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
import { inspectLog, type Log, openLog, type Recovery } from "../../runtimes/deno/log.ts";
import { encodeRecords } from "../../storage/records.ts";
import { repairLog } from "../../runtimes/deno/repair.ts";
import { chanceOf } from "./random.ts";
import { createDisk } from "./simulated-disk.ts";
import { appendAll, collecting, contentOf, inFolder, record, text } from "./texts.ts";

/** A disk with fifty records of mixed sizes, written in groups of mixed sizes. */
async function fiftyRecords() {
  const disk = createDisk(chanceOf(1));
  const texts = Array.from({ length: 50 }, (_, at) => `${at}:${"x".repeat(at * 37 % 101)}`);
  const log = await openLog("data", { files: disk.files });
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
  let whole = new Uint8Array();
  const replace = (content: Uint8Array) => disk.tamper("00000001.log", () => content);
  disk.tamper("00000001.log", (content) => whole = content.slice());
  /** Every byte of a record, but none of what fills a sector up. */
  const held = starts.flatMap((start, one) =>
    Array.from({ length: ends[one]! - start }, (_, at) => start + at)
  );
  return { disk, files: disk.files, texts, starts, ends, held, whole, replace };
}

async function reopen(
  folder: string,
  files = denoFileSystem,
): Promise<{ found: string[]; log: Log; recovery: Recovery }> {
  const { found, options } = collecting();
  const log = await openLog(folder, { files, ...options });
  await log.close();
  return { found, log, recovery: log.recovery };
}

Deno.test("A log of 50 records that was not closed, cut at every byte, gives back every record that is whole", async () => {
  const { files, texts, ends, held, whole, replace } = await fiftyRecords();
  assertEquals(whole.length, writeAfter(ends.at(-1)!) + 1);
  // Of the zeros behind a header, one byte in 64 will do.
  const headers = Array.from({ length: recordsFrom }, (_, at) => at)
    .filter((at) => at % 4096 < 64 || at % 64 === 0);
  for (const length of [...headers, ...held, ...ends]) {
    if (markOf(length) !== undefined) continue;
    replace(whole.slice(0, length));
    const { found, recovery } = await reopen("data", files);
    const kept = ends.filter((end) => end <= length).length;
    assertEquals(found, texts.slice(0, kept), `cut at ${length}`);
    const end = ends[kept - 1] ?? (length < headerBytes ? 0 : recordsFrom);
    const torn = whole.subarray(end, Math.max(end, length)).some((byte) => byte !== 0);
    const expected = torn
      ? { file: "00000001.log", segment: 1, offset: end, bytes: length - end }
      : undefined;
    assertEquals(recovery.cut, expected);
    assertEquals(recovery.damage, undefined);
  }
});

for (const isClosed of [true, false]) {
  const [what, then] = isClosed ? ["", "damage"] : [" that was not closed", "cut"];
  Deno.test(`Each bit of the last record of a log${what} flipped: that is ${then}, the others come back`, async () => {
    const { files, texts, starts, ends, whole, replace } = await fiftyRecords();
    for (let bit = starts.at(-1)! * 8; bit < ends.at(-1)! * 8; bit++) {
      const flipped = whole.slice(0, isClosed ? whole.length : -1);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      replace(flipped);
      const { found, recovery } = await reopen("data", files);
      assertEquals(found, texts.slice(0, 49), `bit ${bit}`);
      assertEquals(recovery.cut?.offset, isClosed ? undefined : ends.at(-2));
      assertEquals(recovery.damage?.offset, isClosed ? ends.at(-2) : undefined);
    }
  });
}

Deno.test("A sector of a closed segment that holds zeros is damage, also the last one", async () => {
  const { files, texts, ends, whole, replace } = await fiftyRecords();
  for (let at = recordsFrom; at < whole.length - 1; at += 512) {
    replace(whole.slice().fill(0, at, at + 512));
    const { found, recovery } = await reopen("data", files);
    const kept = ends.filter((end) => end <= at).length;
    assertEquals(found, texts.slice(0, kept), `sector at ${at}`);
    assertEquals(recovery.damage?.offset, ends[kept - 1] ?? recordsFrom);
  }
});

Deno.test("A segment that was closed, begun to be written on, and cut off there, is not damaged", async () => {
  const { files, texts, whole, replace } = await fiftyRecords();
  // The length that it was given then was lost, the first byte of the next record was not.
  replace(whole.slice().fill(7, -1));
  const { found, recovery } = await reopen("data", files);
  assertEquals([found, recovery.damage, recovery.cut], [texts, undefined, undefined]);
});

Deno.test("Each byte before the last write damaged: damaged from there on, with the place", async () => {
  const { disk, files, texts, starts, ends, held, whole } = await fiftyRecords();
  const lastWrite = writeAfter(new DataView(whole.buffer).getUint32(starts.at(-1)! + 8));
  for (const at of held.filter((at) => at < lastWrite)) {
    disk.flip("00000001.log", at * 8 + 4);
    const { found, log, recovery } = await reopen("data", files);
    const kept = ends.filter((end) => end <= at).length;
    const offset = ends[kept - 1] ?? recordsFrom;
    assertEquals(found, texts.slice(0, kept));
    assertEquals([recovery.damage?.file, recovery.damage?.offset], ["00000001.log", offset]);
    await assertRejects(
      () => log.append(record("more")),
      StorageError,
      `could not be stored: data/00000001.log is damaged at offset ${offset}`,
    );
    disk.flip("00000001.log", at * 8 + 4);
  }
});

Deno.test("Each bit of a header flipped, of either: the other one stands for it", async () => {
  const { disk, files, texts } = await fiftyRecords();
  for (const place of headerPlaces) {
    for (let bit = place * 8; bit < (place + headerBytes) * 8; bit++) {
      disk.flip("00000001.log", bit);
      const { found, recovery } = await reopen("data", files);
      assertEquals(found, texts, `bit ${bit}`);
      assertEquals([recovery.cut, recovery.damage], [undefined, undefined]);
      disk.flip("00000001.log", bit);
    }
  }
});

Deno.test("A cut record of a write is gone: what is appended then comes back", () =>
  inFolder(async (folder) => {
    const log = await openLog(folder);
    await appendAll(log, ["one", "two"]);
    await log.close();
    const path = `${folder}/00000001.log`;
    const bytes = await Deno.readFile(path);
    bytes[bytes.findLastIndex((byte) => byte !== 0)]! ^= 1;
    await Deno.writeFile(path, bytes.slice(0, -1));
    const cut = await openLog(folder);
    assert(cut.recovery.cut !== undefined);
    await cut.append(record("acknowledged"));
    await cut.close();
    const { found, options } = collecting();
    await (await openLog(folder, options)).close();
    assertEquals(found, ["one", "acknowledged"]);
  }));

Deno.test("A damaged log is left as it is", () =>
  inFolder(async (folder) => {
    await segments(folder, false);
    await change(`${folder}/00000002.log`, flip(recordsFrom));
    const before = await contentOf(folder);
    assert((await reopen(folder)).log.condition.state === "damaged");
    assertEquals(await contentOf(folder), before);
  }));

Deno.test("Bytes behind the zeros that are held in reserve are cut, and nothing before them", async () => {
  const { texts, ends, whole, replace, files } = await fiftyRecords();
  replace(
    Uint8Array.from([...whole.slice(0, -1), ...new Uint8Array(65536), ...record("Z".repeat(37))]),
  );
  const { found, recovery } = await reopen("data", files);
  assertEquals([found, recovery.damage, recovery.cut?.offset], [texts, undefined, ends.at(-1)]);
});

Deno.test("A cut end is gone from the file, and the log goes on behind what is good", () =>
  inFolder(async (folder) => {
    const texts = await segments(folder, false);
    const path = `${folder}/00000003.log`;
    await change(path, shorten(500));
    const { found, options } = collecting();
    const log = await openLog(folder, options);
    assertEquals(found, texts.slice(0, 8));
    assertEquals((await Deno.stat(path)).size, 5632);
    await log.append(record("next"));
    await log.close();
    const again = await reopen(folder);
    assertEquals(again.found, [...texts.slice(0, 8), "next"]);
    assertEquals(again.recovery.cut, undefined);
  }));

/**
 * Nine records in three segments, or the first three in a checkpoint and the rest in two segments.
 */
async function segments(
  folder: string,
  checkpoint: boolean,
  files: FileSystem = denoFileSystem,
): Promise<string[]> {
  const texts = Array.from({ length: 9 }, (_, at) => `record ${at}`);
  const segmentBytes = 5500;
  if (checkpoint) {
    const state = () => texts.slice(0, 3).map(record);
    const log = await openLog(folder, { files, segmentBytes, checkpoint: state });
    await log.compact();
    await log.close();
  }
  const log = await openLog(folder, { files, segmentBytes });
  for (const one of texts.slice(checkpoint ? 3 : 0)) await log.append(record(one));
  await log.close();
  return texts;
}

async function change(path: string, action: (bytes: Uint8Array) => Uint8Array): Promise<void> {
  await Deno.writeFile(path, action(await Deno.readFile(path)));
}

const flip = (...places: number[]) => (bytes: Uint8Array) =>
  bytes.map((byte, index) => places.includes(index) ? byte ^ 1 : byte);
const flipHeaders = (at: number) => flip(at, 4096 + at);
const shorten = (by: number) => (bytes: Uint8Array) => bytes.slice(0, -by);

for (
  const [what, checkpoint, file, harm, kept, offset] of [
    ["a record of an older segment", false, "00000001.log", flip(4608 + 20), 0, 4608],
    ["the end of an older segment", false, "00000001.log", shorten(491), 2, 5144],
    ["a whole record off an older segment", false, "00000002.log", shorten(512), 5, 5144],
    ["the headers of an older segment", false, "00000002.log", flipHeaders(3), 3, 0],
    ["a record of the checkpoint", true, "00000001.checkpoint", flip(4632 + 18), 1, 4632],
    ["the end of the checkpoint", true, "00000001.checkpoint", shorten(460), 2, 4656],
    ["the headers of the checkpoint", true, "00000001.checkpoint", flipHeaders(31), 0, 0],
    ["the headers of the checkpoint's segment", true, "00000001.log", flipHeaders(12), 3, 0],
  ] as const
) {
  Deno.test(`Damage to ${what} is never skipped`, () =>
    inFolder(async (folder) => {
      const texts = await segments(folder, checkpoint);
      await change(`${folder}/${file}`, harm);
      const { found, recovery } = await reopen(folder);
      assertEquals(found, texts.slice(0, kept));
      assertEquals([recovery.damage?.file, recovery.damage?.offset], [file, offset]);
      assertEquals((await inspectLog(folder)).recovery, recovery);
    }));
}

for (
  const [missing, checkpoint, kept] of [
    ["00000001.log", false, 0],
    ["00000002.log", false, 3],
    ["00000001.log", true, 3],
  ] as const
) {
  Deno.test(`A missing ${missing} ${checkpoint ? "behind a checkpoint " : ""}is damage`, () =>
    inFolder(async (folder) => {
      const texts = await segments(folder, checkpoint);
      await Deno.remove(`${folder}/${missing}`);
      const { found, recovery } = await reopen(folder);
      assertEquals(found, texts.slice(0, kept));
      assertEquals(recovery.damage, {
        file: missing,
        segment: Number(missing.slice(0, 8)),
        offset: 0,
        reason: "the file is missing",
      });
    }));
}

Deno.test("A missing only segment is damage: the reserve says that it was there", async () => {
  const { files } = createDisk(chanceOf(1));
  const options = { files, checkpoint: () => [record("state")] };
  const log = await openLog("data", options);
  await log.append(record("a"));
  await log.close();
  await files.remove("data/00000001.log");
  const damaged = await openLog("data", options);
  const damage = { file: "00000001.log", segment: 1, offset: 0, reason: "the file is missing" };
  assertEquals(damaged.recovery.damage, damage);
  await damaged.close();
  await repairLog("data", { files });
  assertEquals((await reopen("data", files)).recovery, { records: 0, bytes: 0 });
});

for (const ending of ["power", "kill"] as const) {
  Deno.test(`A first append that ends anywhere by a ${ending} leaves a log without damage`, async () => {
    let isStored = false;
    for (let operations = 1; !isStored; operations++) {
      const disk = createDisk(chanceOf(operations));
      const { files } = disk;
      const log = await openLog("data", { files, checkpoint: () => [record("state")] });
      disk.failPowerIn(operations);
      await log.append(record("a")).catch(() => {});
      isStored = !disk.isDown;
      disk.restart(ending);
      assertEquals((await reopen("data", files)).recovery.damage, undefined, `${operations}`);
    }
  });
}

Deno.test("A missing last segment is damage: the one before it says that it was there", () =>
  inFolder(async (folder) => {
    const texts = await segments(folder, false);
    await Deno.remove(`${folder}/00000003.log`);
    const { found, recovery } = await reopen(folder);
    assertEquals(found, texts.slice(0, 6));
    assertEquals([recovery.damage?.file, recovery.damage?.reason], [
      "00000003.log",
      "the file is missing",
    ]);
    const { skipped } = await repairLog(folder, { skip: true });
    assertEquals(skipped.map(({ file }) => file), ["00000003.log"]);
    assertEquals((await reopen(folder)).found, texts.slice(0, 6));
  }));

for (
  const [what, checkpoint, file, kept] of [
    ["the first segment", false, "00000001.log", []],
    ["a segment", false, "00000002.log", [0, 1, 2]],
    ["the last segment", false, "00000003.log", [0, 1, 2, 3, 4, 5]],
    ["the checkpoint", true, "00000001.checkpoint", [3, 4, 5, 6, 7, 8]],
    ["the segment behind a checkpoint", true, "00000001.log", [0, 1, 2]],
    ["a file behind the end", true, "00000003.log", [0, 1, 2, 3, 4, 5, 6, 7, 8]],
  ] as const
) {
  Deno.test(`In the place of ${what}, a file of another console is damage, and a repair keeps it beside`, () =>
    inFolder(async (folder) => {
      const texts = await segments(folder, checkpoint);
      await segments(`${folder}-other`, file.endsWith(".checkpoint"));
      await Deno.copyFile(`${folder}-other/${file}`, `${folder}/${file}`);
      const foreign = await Deno.readFile(`${folder}/${file}`);
      const { recovery } = await reopen(folder);
      assertEquals(recovery.damage?.file, file);
      await repairLog(folder);
      assertEquals(await Deno.readFile(`${folder}/${file}.damaged`), foreign);
      const { found } = await reopen(folder);
      const expected = file.endsWith(".checkpoint") ? found : kept.map((at) => texts[at]);
      assertEquals(found, expected);
    }));
}

Deno.test("An older copy of a segment of the same console is damage: the next one does not follow it", () =>
  inFolder(async (folder) => {
    const log = await openLog(folder, { segmentBytes: 5500 });
    await log.append(record("0"));
    await log.close();
    await Deno.copyFile(`${folder}/00000001.log`, `${folder}.old`);
    await repairLog(folder);
    await Deno.remove(`${folder}/00000001.log`);
    const again = await openLog(folder, { segmentBytes: 5500 });
    for (const text of ["a", "b", "c", "d"]) await again.append(record(text));
    await again.close();
    // It has the number of the same log.
    const old = await Deno.readFile(`${folder}.old`);
    const now = await Deno.readFile(`${folder}/00000001.log`);
    const header = decodeHeader(old) as Header;
    const same = encodeHeader({ ...header, log: (decodeHeader(now) as Header).log });
    for (const place of headerPlaces) old.set(same, place);
    await Deno.writeFile(`${folder}/00000001.log`, old);
    const { damage } = (await reopen(folder)).recovery;
    assertEquals([damage?.file, damage?.reason], [
      "00000002.log",
      "it does not follow 00000001.log",
    ]);
  }));

Deno.test("A missing last segment behind a checkpoint is damage", () =>
  inFolder(async (folder) => {
    const log = await openLog(folder, { checkpoint: () => [record("state")] });
    await log.compact();
    await log.close();
    await Deno.remove(`${folder}/00000001.log`);
    assertEquals((await reopen(folder)).recovery.damage?.reason, "the file is missing");
  }));

Deno.test("A dump gives every record with its segment and offset", () =>
  inFolder(async (folder) => {
    const texts = await segments(folder, true);
    const lines: string[] = [];
    await inspectLog(folder, (payload, { file, offset }) => {
      lines.push(`${file} ${offset} ${text(payload)}`);
    });
    assertEquals(lines.length, texts.length);
    assertEquals(lines[0], "00000001.checkpoint 4608 record 0");
    assertEquals(lines[3], "00000001.log 4608 record 3");
    assertEquals(lines[8], "00000002.log 5632 record 8");
  }));

Deno.test("A log that is rejected while it is replayed is not held", async () => {
  const disk = createDisk(chanceOf(1));
  const log = await openLog("data", { files: disk.files });
  await log.append(record("a"));
  await log.close();
  const replay = () => {
    throw new Error("not known");
  };
  await assertRejects(() => openLog("data", { files: disk.files, replay }), Error, "not known");
  await (await openLog("data", { files: disk.files })).close();
});

Deno.test("Each bit of a log of several files flipped: what comes back is a prefix, and the rest is named", async () => {
  const disk = createDisk(chanceOf(1));
  const { files } = disk;
  await segments("data", true, files);
  const whole = await reopen("data", files);
  assertEquals(whole.found.length, 9);
  const held = new Set<string>();
  await inspectLog("data", ({ length }, { file, offset }) => {
    for (let at = 0; at < recordHeaderBytes + length; at++) held.add(`${file} ${offset + at}`);
  }, files);
  for (const name of await files.list("data")) {
    const content = disk.content(name);
    for (let bit = 0; bit < content.length * 8; bit++) {
      const isRecord = held.has(`${name} ${bit >> 3}`);
      // Of the zeros that fill up, one byte in a hundred will do.
      if (!isRecord && (bit >> 3) % 4096 >= headerBytes && bit % 800 > 0) continue;
      disk.flip(name, bit);
      const { found, recovery: { cut, damage } } = await reopen("data", files);
      assertEquals(found, whole.found.slice(0, found.length), `bit ${bit} of ${name}`);
      assertEquals(found.length < 9, isRecord, `bit ${bit} of ${name}`);
      // What fills up the last sector of a segment that was closed may have been a record.
      const isFilling = name === LAST && bit >> 3 >= 5656 && bit >> 3 < content.length - 1;
      assertEquals([damage !== undefined, cut], [isRecord || isFilling, undefined]);
      disk.flip(name, bit);
    }
  }
});

Deno.test("A last segment of which neither header is right, and whose records show that some were acknowledged, is damage", () =>
  inFolder(async (folder) => {
    for (const isClosed of [true, false]) {
      const data = `${folder}-${isClosed}`;
      const texts = await segments(data, false);
      const path = `${data}/00000003.log`;
      await change(path, flipHeaders(16));
      if (!isClosed) await change(path, shorten(1));
      const before = await contentOf(data);
      const { found, recovery } = await reopen(data);
      assertEquals(found, texts.slice(0, 6));
      const [file, reason] = ["00000003.log", "the header is not valid"];
      assertEquals(recovery.damage, { file, segment: 3, offset: 0, reason });
      assertEquals(await contentOf(data), before);
    }
  }));

Deno.test("A log of one segment of which neither header is right is damage, not a new log", () =>
  inFolder(async (folder) => {
    const log = await openLog(folder);
    for (const one of ["admin", "level"]) await log.append(record(one));
    await log.close();
    await change(`${folder}/00000001.log`, (bytes) => {
      crypto.getRandomValues(bytes.subarray(0, 16));
      crypto.getRandomValues(bytes.subarray(4096, 4112));
      return bytes;
    });
    const { recovery, log: { condition } } = await reopen(folder);
    assertEquals([condition.state, recovery.damage?.file], ["damaged", "00000001.log"]);
  }));

/** One write in a segment of its own, of which neither header is right: torn, or harmed since. */
async function oneWrite(isFollowed = false) {
  const disk = createDisk(chanceOf(1));
  const log = await openLog("data", { files: disk.files, segmentBytes: 1 });
  for (const text of ["before", "one"]) await log.append(record(text));
  disk.restart("kill");
  disk.tamper(LAST, flipHeaders(16));
  // Power failed before the medium had the length that says that a segment follows.
  if (!isFollowed) disk.tamper("00000001.log", (bytes) => bytes.slice(0, -2));
  return { disk, files: disk.files, content: disk.content(LAST) };
}

const LAST = "00000002.log";

Deno.test("One acknowledged write in the first segment is damage without its headers: the log is not new", async () => {
  const disk = createDisk(chanceOf(1));
  const log = await openLog("data", { files: disk.files });
  await log.append(record("the first user"));
  disk.restart("kill");
  disk.tamper("00000001.log", flipHeaders(16));
  const { recovery } = await reopen("data", disk.files);
  assertEquals([recovery.quarantined, recovery.damage?.file], [undefined, "00000001.log"]);
});

Deno.test("A first segment whose header a power cut left unfinished is no damage: nothing stands behind it", async () => {
  const disk = createDisk(chanceOf(1));
  disk.tamper("00000001.log", () => new Uint8Array(recordsFrom + 65536).fill(7, 0, 20));
  const { recovery } = await reopen("data", disk.files);
  assertEquals([recovery.quarantined, recovery.damage, recovery.records], [
    undefined,
    undefined,
    0,
  ]);
});

Deno.test("One write behind headers that are not right may be torn: the log goes on without it, and it is kept", async () => {
  const { disk, files, content } = await oneWrite();
  const aside = { file: LAST, keptAs: "00000002.log.damaged", bytes: content.length };
  assertEquals((await inspectLog("data", () => {}, files)).recovery.quarantined, aside);
  for (const text of ["first", "second"]) {
    const log = await openLog("data", { files });
    assertEquals([log.condition, log.recovery.damage], [{ state: "ok" }, undefined]);
    assertEquals(log.recovery.quarantined, text === "first" ? aside : undefined);
    await log.append(record(text));
    disk.restart("power");
    assertEquals(disk.content("00000002.log.damaged"), content);
  }
  assertEquals((await reopen("data", files)).found, ["before", "first", "second"]);
});

Deno.test("One write behind headers that are not right is damage where the segment before says that it was stored", async () => {
  const { files } = await oneWrite(true);
  const { recovery } = await reopen("data", files);
  assertEquals([recovery.quarantined, recovery.damage?.file], [undefined, LAST]);
});

Deno.test("What a client sent in a write that was torn proves nothing", async () => {
  const { disk } = await oneWrite();
  // The header of a large record is written last; behind it stand records that a client forged.
  disk.tamper(LAST, () => {
    const bytes = new Uint8Array(65536);
    for (const [index, salt] of [0, 0, 1, 4608].entries()) {
      const end = recordsFrom + 1024 * (index + 1);
      bytes.set(encodeRecords([record("forged")], { salt, end }), end);
    }
    return bytes;
  });
  const { recovery } = await reopen("data", disk.files);
  assertEquals([recovery.damage, recovery.quarantined?.keptAs], [
    undefined,
    "00000002.log.damaged",
  ]);
});

Deno.test("What may be torn is quarantined once the medium takes it, under a name that is free", async () => {
  const { disk, files, content } = await oneWrite();
  disk.tamper("00000002.log.damaged", () => record("earlier"));
  for (const fails of ["rename", "syncFolder"]) {
    disk.faults = (operation) => operation === fails ? "EROFS" : undefined;
    const log = await openLog("data", { files });
    assertEquals(log.condition.state, "readonly");
    disk.faults = () => undefined;
    await log.append(record("next"));
    await log.close();
    assertEquals(disk.content("00000002.log.damaged-2"), content);
    disk.tamper(LAST, () => content);
    await files.remove("data/00000002.log.damaged-2");
  }
  assertEquals(disk.content("00000002.log.damaged"), record("earlier"));
});

/** A log whose power went between a checkpoint's rename and the removal of all, or of some, it replaces. */
async function halfReplaced(removals: number) {
  const disk = createDisk(chanceOf(1));
  let left = removals;
  const files: FileSystem = {
    ...disk.files,
    remove: (path) => left-- > 0 ? disk.files.remove(path) : Promise.reject(new Error("power")),
  };
  const checkpoint = () => [record("state of 0 to 5")];
  const early = await openLog("data", { files: disk.files, checkpoint: () => [record("empty")] });
  await early.compact();
  await early.close();
  const log = await openLog("data", { files, checkpoint });
  for (let at = 0; at < 6; at++) await log.append(record(`${at}`));
  await log.compact().catch(() => {});
  await log.append(record("6"));
  disk.restart("kill");
  const names = await disk.files.list("data");
  const newest = names.filter((name) => name.endsWith(".checkpoint")).sort().at(-1)!;
  return { disk, files: disk.files, newest };
}

for (const place of [4620, 0]) {
  Deno.test(`A checkpoint that is damaged at ${place}, while all that it replaces is there: that is read, and kept`, async () => {
    const { disk, files, newest } = await halfReplaced(0);
    const both = place === 0 ? flipHeaders(9) : flip(place);
    disk.tamper(newest, both);
    const { found, options } = collecting();
    const log = await openLog("data", { files, ...options });
    assertEquals([log.condition.state, log.recovery.damage], ["ok", undefined]);
    assertEquals(found, ["empty", "0", "1", "2", "3", "4", "5", "6"]);
    await log.append(record("7"));
    disk.restart("power");
    assertEquals((await reopen("data", files)).found.at(-1), "7");
    assertEquals((await files.list("data")).includes(newest), false);
  });
}

Deno.test("A checkpoint that is whole stands for what it replaces, however much of that is there", async () => {
  for (const removals of [0, 1, 2]) {
    const { files } = await halfReplaced(removals);
    assertEquals((await reopen("data", files)).found, ["state of 0 to 5", "6"]);
  }
});

Deno.test("A damaged checkpoint, of whose older log a part is gone, is damage, and nothing is removed", async () => {
  for (const removals of [1, 2]) {
    const { disk, files, newest } = await halfReplaced(removals);
    disk.tamper(newest, flip(4620));
    const before = await files.list("data");
    assertEquals((await reopen("data", files)).recovery.damage?.file, newest);
    assertEquals(await files.list("data"), before);
  }
});

Deno.test("A damaged checkpoint, whose older one was written over as the reserve, is read up to the damage, and repaired", async () => {
  const disk = createDisk(chanceOf(1));
  const { files } = disk;
  const checkpoint = () => [record("state"), record("more of it")];
  const log = await openLog("data", { files, checkpoint });
  await log.compact();
  await log.append(record("a"));
  const segment = disk.content("00000001.log");
  await log.compact();
  disk.faults = (operation) => operation === "rename" ? "EIO" : undefined;
  await assertRejects(() => log.compact(), Error, "compaction failed");
  await log.close();
  disk.faults = () => undefined;
  // Power failed before the medium had the names that the second compaction changed last.
  disk.tamper("00000001.log", () => segment);
  disk.tamper("00000001.checkpoint", () => disk.content("reserve"));
  disk.tamper("00000002.checkpoint", flip(4650));
  const { found, recovery } = await reopen("data", files);
  assertEquals([found, recovery.damage?.file], [["state"], "00000002.checkpoint"]);
  await repairLog("data", { files });
  assertEquals((await reopen("data", files)).found, ["state"]);
});
