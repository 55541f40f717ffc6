/** When a log is compacted, and that space and wear stay bounded because of it. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { denoFileSystem } from "../../runtimes/deno/file-system.ts";
import type { FileSystem, OpenFile } from "../../storage/file-system.ts";
import { recordsFrom } from "../../storage/format.ts";
import { openLog } from "../../runtimes/deno/log.ts";
import { hasManyFiles, isCheckpointDue } from "../../storage/space.ts";
import { pieceBytes, storedBytes } from "../../storage/records.ts";
import { collecting, inFolder, record } from "./texts.ts";

const segment = 4 * 1024 * 1024;

for (
  const [total, live, due] of [
    [0, 0, false],
    [segment / 2, 0, false],
    [segment / 2 + 1, 0, true],
    [segment, segment, false],
    [2 * segment, segment, false],
    [2 * segment + 1, segment, true],
    [15 * segment + segment / 2, 10 * segment, false],
    [15 * segment + segment / 2 + 1, 10 * segment, true],
  ] as const
) {
  Deno.test(`With ${total} bytes in all and ${live} live ones a checkpoint is ${due ? "" : "not "}due`, () => {
    assertEquals(isCheckpointDue({ total, live }, segment), due);
  });
}

for (
  const [files, total, due] of [[16, 0, false], [17, 0, true], [17, segment, false], [
    80,
    64 * segment,
    false,
  ]] as const
) {
  Deno.test(`With ${files} files of ${total} bytes a checkpoint is ${due ? "" : "not "}due`, () => {
    assertEquals(hasManyFiles(files, { total, live: 0 }, segment), due);
  });
}

Deno.test("Compacted when it is due, a log is written in at most 3 bytes for each that is appended", () => {
  const appends = fc.array(fc.integer({ min: 13, max: 100_000 }), {
    minLength: 1,
    maxLength: 3000,
    size: "max",
  });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 50 * segment }), appends, (live, sizes) => {
      let total = live;
      let appended = 0;
      let written = 0;
      for (const bytes of sizes) {
        if (isCheckpointDue({ total, live }, segment)) {
          written += live;
          total = live;
        }
        total += bytes;
        appended += bytes;
        written += bytes;
      }
      // A checkpoint that was due pays for what was appended since the last one.
      assert(written <= 3 * appended);
    }),
    { numRuns: 200 },
  );
});

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name } of Deno.readDir(folder)) {
    // Removed between the two calls, it takes no space.
    const { size } = await Deno.stat(`${folder}/${name}`).catch(() => ({ size: 0 }));
    bytes += size;
  }
  return bytes;
}

/** The real file system, counting what is written through it. */
function counting(): { files: FileSystem; written: () => number } {
  let written = 0;
  const counted = async (opening: Promise<OpenFile>): Promise<OpenFile> => {
    const file = await opening;
    return {
      ...file,
      write(bytes, offset) {
        written += bytes.length;
        return file.write(bytes, offset);
      },
    };
  };
  const files: FileSystem = {
    ...denoFileSystem,
    create: (path) => counted(denoFileSystem.create(path)),
    open: (path) => counted(denoFileSystem.open(path)),
  };
  return { files, written: () => written };
}

Deno.test("100,000 label changes leave a log within its bound, written in under 3 times their bytes", () =>
  inFolder(async (folder) => {
    const faders = 512;
    const payloadBytes = 60;
    const segmentBytes = 512 * 1024;
    const changes = 100_000;
    const together = 2000;
    const live = faders * storedBytes(new Uint8Array(payloadBytes)) + recordsFrom;
    const state = new Map<number, Uint8Array>();
    const { files, written } = counting();
    const checkpoint = () => [...state.values()];
    const checkpointBytes = () => live;
    const log = await openLog(folder, { files, segmentBytes, checkpoint, checkpointBytes });
    const change = async (count: number) => {
      const label = record(`label ${count}`.padEnd(payloadBytes));
      await log.append(label);
      state.set(count % faders, label);
    };
    for (let count = 0; count < changes; count += together) {
      await Promise.all(Array.from({ length: together }, (_, at) => change(count + at)));
      if (count % 10_000 > 0) continue;
      const bytes = await bytesIn(folder);
      assert(
        bytes <= 2.5 * live + segmentBytes + 2 * pieceBytes,
        `${bytes} bytes after ${count} changes`,
      );
    }
    await log.close();
    assert(written() < 3 * changes * payloadBytes, `${written()} bytes`);
    const { found, options } = collecting();
    await (await openLog(folder, options)).close();
    assert(found.length < 20_000, `${found.length} records: it was compacted`);
    const back = new Map(found.map((label) => [Number(label.slice(6)) % faders, record(label)]));
    assertEquals(back, state);
  }));
