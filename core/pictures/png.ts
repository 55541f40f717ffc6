/**
 * Is this a PNG? Pictures are checked by what they hold, never by their name (decisions.md,
 * `updatepic`): signature, IHDR first, chunk lengths, order and CRCs, IEND last.
 *
 * The compressed pixels inside IDAT are not unpacked: the sizes in IHDR bound what a viewer has to
 * unpack, and the CRCs prove that nothing was cut or altered on the way.
 *
 * An animated PNG (APNG) is accepted. It is a valid PNG whose animation lies in chunks that other
 * viewers skip; they show its first picture.
 *
 * @module
 */
import { crc32 } from "../crc32.ts";
import { PICTURE_BYTES, PICTURE_SIDE, PIECE_BYTES } from "../limits.ts";
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import type { Steps } from "../ports.ts";

/**
 * The most chunks a picture can have. Ours: real pictures have tens, and the check of one that is
 * nothing but empty chunks would hold up everything else.
 */
export const PICTURE_CHUNKS = 4096;

/** The size of a picture in pixels, each 1 to {@linkcode PICTURE_SIDE}. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

interface Chunk {
  readonly type: string;
  readonly data: Uint8Array;
  /** Where it begins in the file, and where the next one does. */
  readonly start: number;
  readonly end: number;
}

const signature = "\x89PNG\r\n\x1a\n";

const otherFormats: readonly (readonly [name: string, beginning: RegExp])[] = [
  ["a JPG", /^\xff\xd8\xff/],
  ["a GIF", /^GIF8[79]a/],
  ["a WebP", /^RIFF[^]{4}WEBP/],
  ["a BMP", /^BM[^]{4}\0{4}/],
  ["a TIFF", /^(II\*\0|MM\0\*)/],
  ["an SVG", /^(\xef\xbb\xbf)?\s*<(\?xml|svg)/],
];

/** The bit depths that PNG allows for each colour type. */
const depthsOfColourType: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

const colourTypeOfPalette = 3;

/** Refuses (3) what does not begin as a PNG; other formats are named. */
export function beginningRefusal(bytes: Uint8Array): Refusal | undefined {
  const beginning = String.fromCharCode(...bytes.subarray(0, 64));
  return beginning.startsWith(signature) ? undefined : refused(notPng(beginning));
}

/**
 * The size of the picture in `bytes`, or why it is refused: no PNG (other formats are named), cut
 * off, altered, followed by something, or over {@linkcode PICTURE_BYTES}, {@linkcode PICTURE_SIDE}
 * or {@linkcode PICTURE_CHUNKS}. The sentence names the parameter `file` of the action. Each step
 * sums {@linkcode PIECE_BYTES}.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { withoutPauses } from "faderd";
 *
 * const checked = await withoutPauses.run(checkPng(new TextEncoder().encode("GIF89a")));
 * assertEquals(checked, { code: 3, message: "file must be a PNG, but it is a GIF" });
 * ```
 */
export function* checkPng(bytes: Uint8Array): Steps<PictureSize | Refusal> {
  const other = beginningRefusal(bytes);
  if (other !== undefined) return other;
  if (bytes.length > PICTURE_BYTES) {
    return refused(
      `file has ${bytes.length} bytes, but at most ${PICTURE_BYTES} (4 MiB) are allowed`,
    );
  }

  const header = yield* readChunk(bytes, signature.length);
  if (isRefusal(header)) return header;
  const picture = readHeader(header);
  if (isRefusal(picture)) return picture;

  let previous = header.type;
  let hasPalette = false;
  let hasPixels = false;
  let at = header.end;
  for (let count = 2; count <= PICTURE_CHUNKS; count++) {
    const chunk = yield* readChunk(bytes, at);
    if (isRefusal(chunk)) return chunk;
    const { type, data, start, end } = chunk;
    if (type === "IEND") {
      if (!hasPixels) return broken("no IDAT chunk (the pixels) comes before IEND");
      if (data.length > 0) return broken("its IEND chunk is not empty");
      if (end < bytes.length) {
        return refused(`file holds ${bytes.length - end} bytes after the end of the PNG`);
      }
      return { width: picture.width, height: picture.height };
    } else if (type === "IDAT") {
      if (hasPixels && previous !== "IDAT") return broken("its IDAT chunks are not in one row");
      if (picture.needsPalette && !hasPalette) return broken("no PLTE chunk comes before IDAT");
      hasPixels = true;
    } else if (type === "PLTE") {
      if (hasPalette || hasPixels) return broken("its PLTE chunk is doubled or too late");
      if (data.length === 0 || data.length > 768 || data.length % 3 !== 0) {
        return broken(`its PLTE chunk has ${data.length} bytes, not 1 to 256 colours`);
      }
      hasPalette = true;
    } else if (/^[A-Z]/.test(type)) {
      return broken(
        `its chunk ${type} at byte ${start} is ${type === "IHDR" ? "doubled" : "unknown"}`,
      );
    }
    previous = type;
    at = end;
  }
  return refused(`file has more than ${PICTURE_CHUNKS} chunks`);
}

/** The chunk that begins at byte `start`: 4 bytes of length, 4 of type, the data, 4 of CRC. */
function* readChunk(bytes: Uint8Array, start: number): Steps<Chunk | Refusal> {
  const cutOff = `it is cut off in the chunk at byte ${start}`;
  if (bytes.length < start + 12) return broken(cutOff);
  const length = readUint32(bytes, start);
  const type = String.fromCharCode(...bytes.subarray(start + 4, start + 8));
  if (!/^[A-Za-z]{4}$/.test(type)) return broken(`no chunk begins at byte ${start}`);
  const end = start + 12 + length;
  if (end > bytes.length) return broken(cutOff);
  let sum = 0;
  for (let from = start + 4; from < end - 4; from += PIECE_BYTES) {
    const piece = bytes.subarray(from, Math.min(from + PIECE_BYTES, end - 4));
    sum = crc32(piece, sum);
    yield;
  }
  if (sum !== readUint32(bytes, end - 4)) {
    return broken(`the CRC of its chunk ${type} at byte ${start} is wrong`);
  }
  return { type, data: bytes.subarray(start + 8, end - 4), start, end };
}

function readHeader({ type, data }: Chunk): PictureSize & { needsPalette: boolean } | Refusal {
  if (type !== "IHDR") return broken(`its first chunk is ${type}, not IHDR`);
  if (data.length !== 13) return broken(`its IHDR chunk has ${data.length} bytes, not 13`);
  const [width, height] = [readUint32(data, 0), readUint32(data, 4)];
  const [depth, colourType, ...methods] = data.subarray(8);
  if (width < 1 || height < 1 || width > 0x7FFFFFFF || height > 0x7FFFFFFF) {
    return broken(`its IHDR chunk gives the size ${width} x ${height}`);
  }
  if (!depthsOfColourType[colourType!]?.includes(depth!)) {
    return broken(`its IHDR chunk gives colour type ${colourType} with bit depth ${depth}`);
  }
  if (methods[0] !== 0 || methods[1] !== 0 || methods[2]! > 1) {
    return broken(`its IHDR chunk gives unknown methods (${methods})`);
  }
  if (width > PICTURE_SIDE || height > PICTURE_SIDE) {
    return refused(
      `file is ${width} x ${height} pixels, but at most ${PICTURE_SIDE} x ${PICTURE_SIDE} are allowed`,
    );
  }
  return { width, height, needsPalette: colourType === colourTypeOfPalette };
}

function readUint32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 24 | bytes[at + 1]! << 16 | bytes[at + 2]! << 8 | bytes[at + 3]!) >>> 0;
}

function notPng(beginning: string): string {
  if (beginning === "") return "file is empty, but a PNG is expected";
  if (signature.startsWith(beginning)) {
    return "file is a broken PNG: it is cut off in its signature";
  }
  const other = otherFormats.find(([, pattern]) => pattern.test(beginning));
  return `file must be a PNG, but it is ${other?.[0] ?? "something else"}`;
}

function broken(what: string): Refusal {
  return refused(`file is a broken PNG: ${what}`);
}

function refused(sentence: string): Refusal {
  return refuse("invalidParameter", sentence);
}
