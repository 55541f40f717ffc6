/** The bytes on the medium are those of the page `docs/storage.md`. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  claimedBytes,
  claimedStart,
  decodeHeader,
  decodeRecord,
  encodeHeader,
  fileName,
  headerBytes,
  parseFileName,
} from "../../storage/format.ts";
import { openLog } from "../../storage/log.ts";
import { encodeRecords } from "../../storage/records.ts";
import { appendAll, contentOf, inFolder, record } from "./texts.ts";

/** The bytes of the dump on the page. */
async function documentedBytes(): Promise<Uint8Array> {
  const page = await Deno.readTextFile(new URL("../../docs/storage.md", import.meta.url));
  const [, dump] = /```hex\n(.*?)```/s.exec(page)!;
  const digits = dump!.split("\n").map((line) => line.slice(6, 54).replaceAll(" ", "")).join("");
  return Uint8Array.fromHex(digits);
}

Deno.test("The worked dump of the page is what the log writes", () =>
  inFolder(async (folder) => {
    const log = await openLog(folder);
    await appendAll(log, ["Host", "Guest 1"]);
    await log.append(record("Guest 2"));
    await log.close();
    const content = await contentOf(folder);
    assertEquals([...content.keys()], ["00000001.log"]);
    assertEquals(content.get("00000001.log")?.toHex(), (await documentedBytes()).toHex());
  }));

const headers = fc.record({
  kind: fc.constantFrom("segment" as const, "checkpoint" as const),
  sequence: fc.integer({ min: 1, max: 0xffffffff }),
  end: fc.maxSafeNat(),
});

Deno.test("A header is read as it was written, and not with any bit changed", () => {
  fc.assert(fc.property(headers, fc.nat(headerBytes * 8 - 1), (header, bit) => {
    const bytes = encodeHeader(header);
    assertEquals(decodeHeader(bytes), header);
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    assertEquals(Object.hasOwn(decodeHeader(bytes) ?? {}, "kind"), false);
  }));
});

Deno.test("A file's name says its kind and number", () => {
  fc.assert(fc.property(headers, ({ kind, sequence }) => {
    assertEquals(parseFileName(fileName({ kind, sequence })), { kind, sequence });
  }));
  for (
    const name of ["lock", "1.log", "00000001.log.damaged", "00000001.checkpoint.new", "x.log"]
  ) {
    assertEquals(parseFileName(name), undefined);
  }
});

const payloads = fc.uint8Array({ minLength: 1, maxLength: 300 });

Deno.test("A record is read as it was written, and not with any bit changed or byte missing", () => {
  fc.assert(fc.property(payloads, fc.nat(), fc.nat(1000), (payload, bit, start) => {
    const bytes = encodeRecords([payload], start);
    const view = new DataView(bytes.buffer);
    assertEquals(decodeRecord(view, 0), payload);
    assertEquals([claimedBytes(view, 0), claimedStart(view, 0)], [bytes.length, start]);
    assertEquals(decodeRecord(new DataView(bytes.buffer, 0, bytes.length - 1), 0), undefined);
    bytes[(bit >> 3) % bytes.length]! ^= 1 << (bit & 7);
    assertEquals(decodeRecord(view, 0), undefined);
  }));
});
