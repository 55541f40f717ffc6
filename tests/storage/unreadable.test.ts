/** An unreadable sector is damage like any other: with file, offset, and a remedy. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { inspectLog } from "../../runtimes/deno/log.ts";
import { logOfThreeFiles, nineTexts, unreadable } from "./texts.ts";

for (
  const [what, name, sector, offset, kept] of [
    ["the first header of a checkpoint alone", "00000001.checkpoint", 0, undefined, 9],
    ["a record of a checkpoint", "00000001.checkpoint", 4608, 4608, 0],
    ["the first header of a segment alone", "00000001.log", 0, undefined, 9],
    ["the second header alone", "00000001.log", 4096, undefined, 9],
    ["the first record of a segment", "00000001.log", 4608, 4608, 3],
    ["the second record of a segment", "00000001.log", 5120, 4632, 4],
    ["the first header of the last segment alone", "00000002.log", 0, undefined, 9],
    ["the last record", "00000002.log", 5632, 5144, 8],
    ["the sector after the records", "00000002.log", 6144, 5656, 9],
    ["a sector far behind the records", "00000002.log", 150_016, 5656, 9],
  ] as const
) {
  const then = offset === undefined
    ? "harms nothing"
    : "is damage there, with the records before it";
  Deno.test(`EIO on ${what} ${then}`, async () => {
    const { disk, files: sound, reopened } = await logOfThreeFiles(true);
    // More zeros than the window of the search stand behind the last segment.
    disk.tamper("00000002.log", (content) => {
      return Uint8Array.from({ length: 200_000 }, (_, at) => content[at] ?? 0);
    });
    const files = unreadable(sound, name, sector);
    const { found, log, recovery } = await reopened(files);
    assertEquals(found, nineTexts.slice(0, kept));
    assertEquals((await inspectLog("data", () => {}, files)).recovery, recovery);
    const { damage } = recovery;
    if (offset === undefined) return assertEquals(damage, undefined);
    assertEquals([damage?.file, damage?.offset], [name, offset]);
    assertEquals(log.condition.state, "damaged");
    assertStringIncludes(log.condition.why!, `data/${name} is damaged at offset ${offset}: `);
    assertStringIncludes(log.condition.why!, "could not be read: the medium failed");
  });
}
