import { assert, assertEquals, AssertionError, assertStringIncludes } from "@std/assert";
import { concat } from "@std/bytes/concat";
import fc from "fast-check";
import { errorCodes, isRefusal } from "../../../core/errors.ts";
import { PICTURE_BYTES } from "../../../core/limits.ts";
import { PICTURE_CHUNKS } from "../../../core/pictures/png.ts";
import { chunk, end, header, latin1, pixels, png, sizeOf, smallPng, uint32 } from "./made-png.ts";

function assertRefused(bytes: Uint8Array, expected: string) {
  const outcome = sizeOf(bytes);
  if (!isRefusal(outcome)) throw new AssertionError(`accepted, but expected: ${expected}`);
  assertEquals(outcome.code, errorCodes.invalidParameter);
  assertStringIncludes(outcome.message, expected);
  assert(outcome.message.startsWith("file "), outcome.message);
}

/** A valid PNG of exactly so many bytes. */
function pngOfSize(bytes: number) {
  const padding = bytes - png(header(), chunk("tEXt"), pixels, end).length;
  return png(header(), chunk("tEXt", new Uint8Array(padding)), pixels, end);
}

/** Not a deflate stream: the pixels are not unpacked. */
const anyPixels = chunk("IDAT", Uint8Array.of(1, 2, 3));

Deno.test("a PNG is accepted, and its size is told", () => {
  assertEquals(sizeOf(smallPng), { width: 3, height: 2 });
});

Deno.test("every colour type is accepted with the bit depths that PNG allows, and with no other", () => {
  const palette = chunk("PLTE", Uint8Array.of(1, 2, 3));
  const allowed = new Map([
    [0, [1, 2, 4, 8, 16]],
    [2, [8, 16]],
    [3, [1, 2, 4, 8]],
    [4, [8, 16]],
    [6, [8, 16]],
  ]);
  for (let colourType = 0; colourType <= 7; colourType++) {
    for (const depth of [0, 1, 2, 3, 4, 8, 16, 32]) {
      const made = png(header({ colourType, depth }), palette, anyPixels, end);
      if (allowed.get(colourType)?.includes(depth)) {
        assertEquals(sizeOf(made), { width: 3, height: 2 });
      } else {
        assertRefused(made, `colour type ${colourType} with bit depth ${depth}`);
      }
    }
  }
});

Deno.test("a picture has at most 4096 x 4096 pixels", () => {
  const sized = (width: number, height: number) => png(header({ width, height }), anyPixels, end);
  assertEquals(sizeOf(sized(1, 1)), { width: 1, height: 1 });
  assertEquals(sizeOf(sized(4096, 4096)), { width: 4096, height: 4096 });
  assertRefused(sized(5000, 10), "5000 x 10 pixels, but at most 4096 x 4096");
  assertRefused(sized(10, 4097), "10 x 4097 pixels");
  assertRefused(sized(0, 10), "the size 0 x 10");
  assertRefused(sized(10, 0), "the size 10 x 0");
  assertRefused(sized(0xFFFFFFFF, 1), "the size 4294967295 x 1");
});

Deno.test("a picture file has at most 4 MiB", () => {
  assertEquals(sizeOf(pngOfSize(PICTURE_BYTES)), { width: 3, height: 2 });
  assertRefused(pngOfSize(PICTURE_BYTES + 1), "4194305 bytes, but at most 4194304 (4 MiB)");
  assertRefused(pngOfSize(5 * 1024 * 1024), "5242880 bytes");
});

Deno.test("a picture has at most 4096 chunks", () => {
  const withChunks = (count: number) =>
    png(header(), concat(Array(count - 3).fill(chunk("tEXt"))), pixels, end);
  assertEquals(sizeOf(withChunks(PICTURE_CHUNKS)), { width: 3, height: 2 });
  assertRefused(withChunks(PICTURE_CHUNKS + 1), "more than 4096 chunks");
});

Deno.test("another format is refused by its name, whatever the file is called", () => {
  const formats: readonly (readonly [string, string])[] = [
    ["\xff\xd8\xff\xe0\0\x10JFIF\0", "a JPG"],
    ["\xff\xd8\xff\xe1Exif", "a JPG"],
    ["GIF89a\x01\0", "a GIF"],
    ["RIFF\n\0\0\0WEBPVP8 ", "a WebP"],
    ["BM\x46\0\0\0\0\0\0\0", "a BMP"],
    ["II*\0\x08\0\0\0", "a TIFF"],
    ["MM\0*\0\0\0\x08", "a TIFF"],
    ['<?xml version="1.0"?><svg/>', "an SVG"],
    ["\xef\xbb\xbf <svg>", "an SVG"],
    ["hello, world", "something else"],
    ["\x89PNG\n\x1a\n", "something else"],
  ];
  for (const [beginning, name] of formats) {
    assertRefused(latin1(beginning), `must be a PNG, but it is ${name}`);
  }
  assertRefused(new Uint8Array(), "empty");
});

Deno.test("a PNG cut anywhere is refused", () => {
  for (let length = 1; length < smallPng.length; length++) {
    assertRefused(smallPng.subarray(0, length), "cut off");
  }
});

Deno.test("a wrong CRC is refused in any chunk, and the chunk is named", () => {
  const chunks = [header(), chunk("tEXt", latin1("Title\0x")), pixels, end];
  for (const [index, type] of ["IHDR", "tEXt", "IDAT", "IEND"].entries()) {
    const wrong = chunks.map((bytes, at) => {
      const copy = bytes.slice();
      if (at === index) copy[copy.length - 1]! ^= 1;
      return copy;
    });
    assertRefused(png(...wrong), `the CRC of its chunk ${type} at byte`);
  }
});

Deno.test("a PNG with any one bit changed is refused", () => {
  fc.assert(fc.property(fc.nat(smallPng.length * 8 - 1), (bit) => {
    const wrong = smallPng.slice();
    wrong[bit >>> 3]! ^= 1 << (bit & 7);
    assert(isRefusal(sizeOf(wrong)), `bit ${bit}`);
  }));
});

Deno.test("any bytes at all get an answer, also behind a PNG's beginning", () => {
  const start = png(header());
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
    assert(isRefusal(sizeOf(bytes)));
    assert(isRefusal(sizeOf(concat([start, bytes]))));
  }));
});

Deno.test("the chunks of a PNG come in their order, and nothing comes after IEND", () => {
  const colours = chunk("PLTE", Uint8Array.of(0, 0, 0));
  const indexed = header({ colourType: 3 });
  const tables: readonly (readonly [Uint8Array, string])[] = [
    [png(chunk("tEXt"), header(), pixels, end), "first chunk is tEXt, not IHDR"],
    [png(chunk("IHDR", new Uint8Array(12)), pixels, end), "IHDR chunk has 12 bytes, not 13"],
    [png(header({ methods: [1, 0, 0] }), pixels, end), "unknown methods (1,0,0)"],
    [png(header({ methods: [0, 1, 0] }), pixels, end), "unknown methods (0,1,0)"],
    [png(header({ methods: [0, 0, 2] }), pixels, end), "unknown methods (0,0,2)"],
    [png(header(), header(), pixels, end), "chunk IHDR at byte 33 is doubled"],
    [png(header(), end), "no IDAT chunk"],
    [png(header(), pixels), "cut off in the chunk at byte"],
    [png(header(), pixels, chunk("tEXt"), pixels, end), "not in one row"],
    [png(indexed, pixels, end), "no PLTE chunk"],
    [png(indexed, pixels, colours, end), "no PLTE chunk"],
    [png(header(), pixels, colours, end), "PLTE chunk is doubled or too late"],
    [png(header(), colours, colours, pixels, end), "PLTE chunk is doubled or too late"],
    [png(header(), chunk("PLTE", new Uint8Array(4)), pixels, end), "PLTE chunk has 4 bytes"],
    [png(header(), chunk("ABCD"), pixels, end), "chunk ABCD at byte 33 is unknown"],
    [png(header(), pixels, chunk("IEND", new Uint8Array(1))), "IEND chunk is not empty"],
    [png(header(), pixels, end, latin1("x")), "1 bytes after the end"],
    [png(header(), pixels, end, end), "12 bytes after the end"],
    [png(header(), concat([uint32(0xFFFFFFFF), latin1("IDAT"), end])), "cut off"],
    [png(header(), concat([uint32(0), latin1("ID T"), end])), "no chunk begins at byte 33"],
  ];
  for (const [bytes, expected] of tables) assertRefused(bytes, expected);
  assertEquals(sizeOf(png(indexed, colours, pixels, pixels, end)), { width: 3, height: 2 });
});

Deno.test("an animated PNG is a PNG", () => {
  const control = chunk("acTL", concat([uint32(2), uint32(0)]));
  const frame = (sequence: number) =>
    chunk("fcTL", concat([uint32(sequence), uint32(3), uint32(2), new Uint8Array(14)]));
  const second = chunk("fdAT", concat([uint32(2), Uint8Array.of(1, 2, 3)]));
  const animated = png(header(), control, frame(0), pixels, frame(1), second, end);
  assertEquals(sizeOf(animated), { width: 3, height: 2 });
});
