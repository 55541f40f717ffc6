/** A sector that the medium does not give back is damage like any other: file, offset, and a way on. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { inspectLog, openLog } from "../../runtimes/deno/log.ts";
import { chanceOf } from "./random.ts";
import { createDisk } from "./simulated-disk.ts";
import { collecting, record, unreadable } from "./texts.ts";

const texts = Array.from({ length: 9 }, (_, at) => `record ${at}`);

/** Three records in a checkpoint, then six in two segments, and more zeros than a window behind. */
async function threeFiles() {
  const disk = createDisk(chanceOf(1));
  const { files } = disk;
  const checkpoint = () => texts.slice(0, 3).map(record);
  const compacted = await openLog("data", { files, checkpoint });
  await compacted.compact();
  await compacted.close();
  const log = await openLog("data", { files, segmentBytes: 5500 });
  for (const one of texts.slice(3)) await log.append(record(one));
  await log.close();
  disk.tamper("00000002.log", (content) => {
    const longer = new Uint8Array(200_000);
    longer.set(content);
    return longer;
  });
  return files;
}

for (
  const [what, name, sector, offset, kept] of [
    [
      "the first header of a checkpoint, where the second is good",
      "00000001.checkpoint",
      0,
      undefined,
      9,
    ],
    ["a record of a checkpoint", "00000001.checkpoint", 4608, 4608, 0],
    ["the first header of a segment, where the second is good", "00000001.log", 0, undefined, 9],
    ["the second header, where the first is good", "00000001.log", 4096, undefined, 9],
    ["the first record of a segment", "00000001.log", 4608, 4608, 3],
    ["the second record of a segment", "00000001.log", 5120, 4632, 4],
    [
      "the first header of the last segment, where the second is good",
      "00000002.log",
      0,
      undefined,
      9,
    ],
    ["the last record", "00000002.log", 5632, 5144, 8],
    ["what follows the records", "00000002.log", 6144, 5656, 9],
    ["what follows them much later", "00000002.log", 150_016, 5656, 9],
  ] as const
) {
  const then = offset === undefined
    ? "harms nothing"
    : "is damage there, with the records before it";
  Deno.test(`EIO on ${what} ${then}`, async () => {
    const files = unreadable(await threeFiles(), name, sector);
    const { found, options } = collecting();
    const log = await openLog("data", { files, ...options });
    assertEquals(found, texts.slice(0, kept));
    const { damage } = log.recovery;
    if (offset === undefined) {
      assertEquals(damage, undefined);
    } else {
      assertEquals([damage?.file, damage?.offset], [name, offset]);
      assertEquals(log.condition.state, "damaged");
      assertStringIncludes(log.condition.why!, `data/${name} is damaged at offset ${offset}: `);
      assertStringIncludes(log.condition.why!, "could not be read: the medium failed");
    }
    await log.close();
    assertEquals((await inspectLog("data", () => {}, files)).recovery, log.recovery);
  });
}
