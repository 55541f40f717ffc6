import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { crc32 as zlibCrc32 } from "node:zlib";
import { crc32 } from "../../core/crc32.ts";

const ascii = new TextEncoder();

Deno.test("the published test vectors of CRC-32 hold", () => {
  const vectors: readonly (readonly [string, number])[] = [
    ["", 0],
    ["a", 0xE8B7BE43],
    ["123456789", 0xCBF43926],
    ["IEND", 0xAE426082],
    ["The quick brown fox jumps over the lazy dog", 0x414FA339],
  ];
  for (const [text, sum] of vectors) assertEquals(crc32(ascii.encode(text)), sum, text);
});

Deno.test("the sum equals the CRC-32 of zlib, for any bytes at any offset", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(7), (bytes, skipped) => {
    const part = bytes.subarray(skipped);
    assertEquals(crc32(part), zlibCrc32(part));
  }));
});

Deno.test("summed in pieces or at once, the sum is the same", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(100), (bytes, cut) => {
    assertEquals(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut))), crc32(bytes));
  }));
});
