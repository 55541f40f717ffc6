/** The bytes on the medium, as the page `docs/storage.md` describes them. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { crc32 } from "node:zlib";
import {
  decodeHeader,
  encodeHeader,
  fileName,
  formatVersion,
  headerBytes,
  parseFileName,
  recordHeaderAt,
  recordHeaderBytes,
  recordsFrom,
  seedOf,
  writeAfter,
} from "../../storage/format.ts";
import { openLog } from "../../runtimes/deno/log.ts";
import { encodeRecords } from "../../storage/records.ts";
import { appendAll, contentOf, inFolder, record } from "./texts.ts";

/** The bytes of the dump on the page, where a line of `*` stands for lines of zeros. */
async function documentedBytes(): Promise<Uint8Array> {
  const page = await Deno.readTextFile(new URL("../../docs/storage.md", import.meta.url));
  const [, dump] = /```hex\n(.*?)```/s.exec(page)!;
  const lines = dump!.trim().split("\n").filter((line) => line !== "*");
  const bytes = new Uint8Array(parseInt(lines.pop()!, 16));
  for (const line of lines) {
    bytes.set(Uint8Array.fromHex(line.slice(6, 54).replaceAll(" ", "")), parseInt(line, 16));
  }
  return bytes;
}

Deno.test("The log writes the bytes of the dump on the page, except for random numbers", () =>
  inFolder(async (folder) => {
    const log = await openLog(folder);
    await appendAll(log, ["Host", "Guest 1"]);
    await log.append(record("Guest 2"));
    await log.close();
    const content = await contentOf(folder);
    assertEquals([...content.keys()], ["00000001.log"]);
    const written = content.get("00000001.log")!;
    const documented = await documentedBytes();
    for (const bytes of [written, documented]) {
      const header = decodeHeader(bytes)!;
      if ("version" in header) throw new Error("another version");
      const { salt } = header;
      const expected = new Uint8Array(bytes.length);
      expected.set(encodeHeader(header), 0);
      expected.set(encodeHeader(header), 4096);
      const first = encodeRecords(["Host", "Guest 1"].map(record), { salt, end: recordsFrom });
      expected.set(first, recordsFrom);
      const end = recordsFrom + first.length;
      expected.set(encodeRecords([record("Guest 2")], { salt, end }), writeAfter(end));
      assertEquals(bytes.toHex(), expected.toHex());
    }
    assertEquals(written.length, documented.length);
  }));

const headers = fc.record({
  kind: fc.constantFrom("segment" as const, "checkpoint" as const),
  sequence: fc.integer({ min: 1, max: 0xffffffff }),
  end: fc.maxSafeNat(),
  salt: fc.integer({ min: 0, max: 0xffffffff }),
  previous: fc.integer({ min: 0, max: 0xffffffff }),
  log: fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => bytes.toHex()),
});

Deno.test("A header is read as it was written, and refused with any bit changed", () => {
  fc.assert(fc.property(headers, fc.nat(headerBytes * 8 - 1), (header, bit) => {
    const bytes = encodeHeader(header);
    assertEquals(decodeHeader(bytes), header);
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    assertEquals(decodeHeader(bytes), undefined);
  }));
});

Deno.test("A header of a later version is recognized by its valid checksum", () => {
  fc.assert(
    fc.property(
      headers,
      fc.integer({ min: formatVersion + 1, max: 0xffffffff }),
      (header, version) => {
        const bytes = encodeHeader(header);
        const view = new DataView(bytes.buffer);
        view.setUint32(8, version);
        assertEquals(decodeHeader(bytes), undefined);
        view.setUint32(44, crc32(bytes.subarray(0, 44)));
        assertEquals(decodeHeader(bytes), { version });
      },
    ),
  );
});

Deno.test("The name of a file has its kind and number", () => {
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
const numbers = fc.integer({ min: 0, max: 0xffffffff });
const ends = fc.integer({ min: recordsFrom, max: 0x7fffffff });

Deno.test("The header of a record is read as it was written, and refused with any bit changed or at another place", () => {
  fc.assert(fc.property(payloads, numbers, ends, fc.nat(), (payload, salt, end, bit) => {
    const bytes = encodeRecords([payload], { salt, end });
    const view = new DataView(bytes.buffer);
    const seed = seedOf(salt, writeAfter(end));
    const sum = crc32(payload, seed);
    assertEquals(recordHeaderAt(view, 0, seed), { length: payload.length, durable: end, sum });
    assertEquals(bytes.subarray(recordHeaderBytes), payload);
    assertEquals(recordHeaderAt(view, 0, seedOf(salt, writeAfter(end) + 512)), undefined);
    bytes[(bit >> 3) % recordHeaderBytes]! ^= 1 << (bit & 7);
    assertEquals(recordHeaderAt(view, 0, seed), undefined);
  }));
});
