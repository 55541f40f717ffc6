/** The conditions of a compaction, which bounds space and wear. */
import { assert, assertEquals } from "@std/assert";
import { denoFileSystem } from "../../runtimes/deno/file-system.ts";
import { wrapFiles } from "../../storage/file-system.ts";
import { recordsFrom } from "../../storage/format.ts";
import { openLog } from "../../runtimes/deno/log.ts";
import { hasManyFiles, isCheckpointDue } from "../../storage/space.ts";
import { pieceBytes, storedBytes } from "../../storage/records.ts";
import { collecting, inFolder, record } from "./texts.ts";

const segment = 4 * 1024 * 1024;

Deno.test("A checkpoint is due once more bytes were appended than half of the live bytes and half a segment", () => {
  for (const live of [0, segment, 10 * segment]) {
    const most = live + (live + segment) / 2;
    assertEquals(isCheckpointDue({ total: most, live }, segment), false);
    assertEquals(isCheckpointDue({ total: most + 1, live }, segment), true);
  }
});

Deno.test("A checkpoint is due once a log has more than 16 files beyond those of full segments", () => {
  for (const full of [0, 1, 64]) {
    const space = { total: full * segment, live: 0 };
    assertEquals(hasManyFiles(16 + full, space, segment), false);
    assertEquals(hasManyFiles(17 + full, space, segment), true);
  }
});

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name } of Deno.readDir(folder)) {
    // A file that was removed between the two calls takes no space.
    const { size } = await Deno.stat(`${folder}/${name}`).catch(() => ({ size: 0 }));
    bytes += size;
  }
  return bytes;
}

Deno.test("100,000 label changes leave a log within its bound, and write less than 3 times their bytes", () =>
  inFolder(async (folder) => {
    const faders = 512;
    const payloadBytes = 60;
    const segmentBytes = 512 * 1024;
    const changes = 100_000;
    const together = 2000;
    const live = faders * storedBytes(new Uint8Array(payloadBytes)) + recordsFrom;
    const state = new Map<number, Uint8Array>();
    let written = 0;
    const files = wrapFiles(denoFileSystem, (file) => ({
      ...file,
      write(bytes, offset) {
        written += bytes.length;
        return file.write(bytes, offset);
      },
    }));
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
    assert(written < 3 * changes * payloadBytes, `${written} bytes`);
    const { found, options } = collecting();
    await (await openLog(folder, options)).close();
    assert(found.length < 20_000, `${found.length} records: it was compacted`);
    const back = new Map(found.map((label) => [Number(label.slice(6)) % faders, record(label)]));
    assertEquals(back, state);
  }));
