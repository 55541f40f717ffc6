import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { concat } from "@std/bytes/concat";
import fc from "fast-check";
import { errorCodes, isRefusal } from "../../../core/errors.ts";
import { PICTURE_BYTES } from "../../../core/limits.ts";
import { PICTURE_CHUNKS } from "../../../core/pictures/png.ts";
import { refusal } from "../actors.ts";
import { check, chunk, end, header, latin1, pixels, png, smallPng } from "./made-png.ts";

/** A valid PNG of this many bytes. */
function pngOfSize(bytes: number) {
  const padding = bytes - png(header(), chunk("tEXt"), pixels, end).length;
  return png(header(), chunk("tEXt", new Uint8Array(padding)), pixels, end);
}

const pngOfChunks = (count: number) =>
  png(header(), concat(Array(count - 3).fill(chunk("tEXt"))), pixels, end);
const sized = (width: number, height: number) => png(header({ width, height }), pixels, end);
const damaged = (index: number) =>
  png(...[header(), chunk("tEXt", latin1("Title\0x")), pixels, end].map((bytes, at) => {
    const copy = bytes.slice();
    if (at === index) copy[copy.length - 1]! ^= 1;
    return copy;
  }));

const accepted: Readonly<Record<string, Uint8Array>> = {
  "of 3 x 2 pixels": smallPng,
  "of 1 x 1 pixels": sized(1, 1),
  "of 4096 x 4096 pixels": sized(4096, 4096),
  "of 4 MiB": pngOfSize(PICTURE_BYTES),
  "of 4096 chunks": pngOfChunks(PICTURE_CHUNKS),
  "with an animation": png(header(), chunk("acTL"), pixels, chunk("fdAT"), end),
};
for (const [what, bytes] of Object.entries(accepted)) {
  Deno.test(`a PNG ${what} is accepted`, () => {
    assertEquals(check(bytes), { bytes });
  });
}

const refused: readonly (readonly [Uint8Array, string])[] = [
  [new Uint8Array(), "file is empty"],
  [latin1("\xff\xd8\xff\xe0\0\x10JFIF\0"), "must be a PNG, but it is a JPG"],
  [latin1("\xff\xd8\xff\xe1Exif"), "must be a PNG, but it is a JPG"],
  [latin1("GIF89a\x01\0"), "must be a PNG, but it is something else"],
  [latin1("\x89PNG\n\x1a\n"), "must be a PNG, but it is something else"],
  [sized(5000, 10), "5000 x 10 pixels, but 1 x 1 to 4096 x 4096 are allowed"],
  [sized(10, 4097), "10 x 4097 pixels"],
  [sized(0, 10), "0 x 10 pixels"],
  [sized(10, 0), "10 x 0 pixels"],
  [sized(0xFFFFFFFF, 1), "4294967295 x 1 pixels"],
  [pngOfSize(PICTURE_BYTES + 1), "4194305 bytes, but at most 4194304 (4 MiB)"],
  [pngOfChunks(PICTURE_CHUNKS + 1), "more than 4096 chunks"],
  [png(chunk("tEXt"), header(), pixels, end), "first chunk is not IHDR"],
  [png(chunk("IHDR", new Uint8Array(12)), pixels, end), "first chunk is not IHDR"],
  [png(header(), pixels), "cut off in the chunk at byte"],
  [png(header(), latin1("\xff\xff\xff\xffIDAT"), end), "cut off in the chunk at byte 33"],
  [png(header(), pixels, end, latin1("x")), "1 bytes after the end"],
  [png(header(), pixels, end, end), "12 bytes after the end"],
  ...[0, 1, 2, 3].map((index) => [damaged(index), "the CRC of its chunk at byte "] as const),
];
for (const [bytes, expected] of refused) {
  Deno.test(`a picture of ${bytes.length} bytes is refused: ${expected}`, () => {
    const { code, message } = refusal(check(bytes));
    assertEquals(code, errorCodes.invalidParameter);
    assertStringIncludes(message, expected);
    assert(message.startsWith("file "), message);
  });
}

Deno.test("a PNG cut anywhere is refused", () => {
  for (let length = 1; length < smallPng.length; length++) {
    assertStringIncludes(refusal(check(smallPng.slice(0, length))).message, "cut off");
  }
});

Deno.test("a PNG with any one bit changed is refused", () => {
  fc.assert(fc.property(fc.nat(smallPng.length * 8 - 1), (bit) => {
    const wrong = smallPng.slice();
    wrong[bit >>> 3]! ^= 1 << (bit & 7);
    assert(isRefusal(check(wrong)), `bit ${bit}`);
  }));
});

Deno.test("random bytes are refused, alone and after the beginning of a PNG", () => {
  const start = png(header());
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
    assert(isRefusal(check(bytes)));
    assert(isRefusal(check(concat([start, bytes]))));
  }));
});
