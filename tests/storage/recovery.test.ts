/** What is cut, what is damage, and what is given back: cases of the page `docs/storage.md`. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { StorageError } from "../../storage/storage-error.ts";
import { denoFileSystem } from "../../storage/deno/file-system.ts";
import type { FileSystem } from "../../storage/file-system.ts";
import { inspectLog, type Log, openLog, type Recovery } from "../../storage/log.ts";
import { chanceOf } from "./random.ts";
import { createDisk } from "./simulated-disk.ts";
import { appendAll, collecting, contentOf, inFolder, record, text } from "./texts.ts";

const header = 32;
const recordHeader = 12;

/** A disk with fifty records of mixed sizes, written in groups of mixed sizes. */
async function fiftyRecords() {
  const disk = createDisk(chanceOf(1));
  const texts = Array.from({ length: 50 }, (_, at) => `${at}:${"x".repeat(at * 37 % 101)}`);
  const log = await openLog("data", { files: disk.files });
  for (let at = 0; at < texts.length; at += 1 + at % 4) {
    await appendAll(log, texts.slice(at, at + 1 + at % 4));
  }
  await log.close();
  let end = header;
  const ends = texts.map(({ length }) => end += recordHeader + length);
  let whole = new Uint8Array();
  const replace = (content: Uint8Array) => disk.tamper("00000001.log", () => content);
  disk.tamper("00000001.log", (content) => whole = content.slice());
  return { files: disk.files, texts, ends, whole, replace };
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

Deno.test("A log of 50 records cut at every byte gives back every record that is whole", async () => {
  const { files, texts, ends, whole, replace } = await fiftyRecords();
  assertEquals(whole.length, ends.at(-1));
  for (let length = 0; length <= whole.length; length++) {
    replace(whole.slice(0, length));
    const { found, recovery } = await reopen("data", files);
    const kept = ends.filter((end) => end <= length).length;
    assertEquals(found, texts.slice(0, kept), `cut at ${length}`);
    const end = ends[kept - 1] ?? (length < header ? 0 : header);
    const torn = whole.subarray(end, length).some((byte) => byte !== 0);
    const expected = torn
      ? { file: "00000001.log", segment: 1, offset: end, bytes: length - end }
      : undefined;
    assertEquals(recovery.cut, expected);
    assertEquals(recovery.damage, undefined);
  }
});

Deno.test("Each bit of the last record flipped: that record is cut, the others come back", async () => {
  const { files, texts, ends, whole, replace } = await fiftyRecords();
  const start = ends.at(-2)!;
  for (let bit = start * 8; bit < whole.length * 8; bit++) {
    const flipped = whole.slice();
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    replace(flipped);
    const { found, recovery } = await reopen("data", files);
    assertEquals(found, texts.slice(0, 49), `bit ${bit}`);
    assertEquals(recovery.cut?.offset, start);
  }
});

Deno.test("Each byte before the last write damaged: read-only from there on, with the place", async () => {
  const { files, texts, ends, whole, replace } = await fiftyRecords();
  const lastWrite = new DataView(whole.buffer).getUint32(ends.at(-2)! + 8);
  for (let at = header; at < lastWrite; at++) {
    replace(whole.map((byte, index) => index === at ? byte ^ 0x10 : byte));
    const { found, log, recovery } = await reopen("data", files);
    const kept = ends.filter((end) => end <= at).length;
    const offset = ends[kept - 1] ?? header;
    assertEquals(found, texts.slice(0, kept));
    assertEquals([recovery.damage?.file, recovery.damage?.offset], ["00000001.log", offset]);
    await assertRejects(
      () => log.append(record("more")),
      StorageError,
      `could not be stored: data/00000001.log is damaged at offset ${offset}`,
    );
  }
});

Deno.test("A damaged log is left as it is", () =>
  inFolder(async (folder) => {
    await segments(folder, false);
    await change(`${folder}/00000002.log`, flip(40));
    const before = await contentOf(folder);
    assert((await reopen(folder)).log.condition.state === "damaged");
    assertEquals(await contentOf(folder), before);
  }));

Deno.test("A cut end is gone from the file, and the log goes on behind what is good", () =>
  inFolder(async (folder) => {
    const texts = await segments(folder, false);
    const path = `${folder}/00000003.log`;
    await change(path, shorten(1));
    const { found, options } = collecting();
    const log = await openLog(folder, options);
    assertEquals(found, texts.slice(0, 8));
    assertEquals((await Deno.stat(path)).size, 72);
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
  if (checkpoint) {
    const log = await openLog(folder, { files, checkpoint: () => texts.slice(0, 3).map(record) });
    await log.compact();
    await log.close();
  }
  const log = await openLog(folder, { files, segmentBytes: 100 });
  for (const one of texts.slice(checkpoint ? 3 : 0)) await log.append(record(one));
  await log.close();
  return texts;
}

async function change(path: string, action: (bytes: Uint8Array) => Uint8Array): Promise<void> {
  await Deno.writeFile(path, action(await Deno.readFile(path)));
}

const flip = (at: number) => (bytes: Uint8Array) =>
  bytes.map((byte, index) => index === at ? byte ^ 1 : byte);
const shorten = (by: number) => (bytes: Uint8Array) => bytes.slice(0, -by);

for (
  const [what, checkpoint, file, harm, kept, offset] of [
    ["a record of an older segment", false, "00000001.log", flip(header + 15), 0, 32],
    ["the end of an older segment", false, "00000001.log", shorten(1), 2, 72],
    ["a whole record off an older segment", false, "00000002.log", shorten(20), 5, 72],
    ["the header of an older segment", false, "00000002.log", flip(3), 3, 0],
    ["the header of the last segment", false, "00000003.log", flip(16), 6, 0],
    ["a record of the checkpoint", true, "00000001.checkpoint", flip(header + 22), 1, 52],
    ["the end of the checkpoint", true, "00000001.checkpoint", shorten(20), 2, 72],
    ["the header of the checkpoint", true, "00000001.checkpoint", flip(31), 0, 0],
    ["the header of the checkpoint's segment", true, "00000001.log", flip(12), 3, 0],
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
    assertEquals(lines[0], "00000001.checkpoint 32 record 0");
    assertEquals(lines[3], "00000001.log 32 record 3");
    assertEquals(lines[8], "00000002.log 72 record 8");
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
  const version = [8, 9, 10, 11];
  for (const name of await files.list("data")) {
    const content = disk.content(name);
    for (let bit = 0; bit < content.length * 8; bit++) {
      disk.tamper(name, () => {
        const flipped = content.slice();
        flipped[bit >> 3]! ^= 1 << (bit & 7);
        return flipped;
      });
      if (version.includes(bit >> 3) && bit !== 11 * 8) {
        await assertRejects(() => openLog("data", { files }), StorageError, "format version");
        continue;
      }
      const { found, recovery } = await reopen("data", files);
      assertEquals(found, whole.found.slice(0, found.length), `bit ${bit} of ${name}`);
      assert(found.length < 9);
      assert(recovery.damage !== undefined || recovery.cut !== undefined && found.length === 8);
      disk.tamper(name, () => content);
    }
    disk.tamper(name, () => content);
  }
});
