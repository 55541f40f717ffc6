/**
 * Checks whether bytes are a PNG: by their content, never by their name (decisions.md,
 * `updatepic`): signature, IHDR first, lengths and CRCs of the chunks, IEND last.
 *
 * The pixels are not unpacked: the sizes in IHDR bound what a viewer has to unpack, and the CRCs
 * prove that nothing was cut or altered on the way.
 *
 * @module
 */
import { crc32 } from "../crc32.ts";
import { PICTURE_BYTES, PICTURE_SIDE, PIECE_BYTES } from "../limits.ts";
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import type { Steps } from "../ports.ts";

/**
 * Maximum number of chunks of a picture. Real pictures have tens; a picture of nothing but empty
 * chunks takes a hundred times as long to check as its bytes.
 */
export const PICTURE_CHUNKS = 4096;

interface Chunk {
  readonly type: string;
  readonly data: Uint8Array;
  /** The byte at which the next chunk begins. */
  readonly end: number;
}

const signature = "\x89PNG\r\n\x1a\n";

/** Refuses (3) bytes that do not begin like a PNG; the refusal says if they begin like a JPG. */
export function beginningRefusal(bytes: Uint8Array): Refusal | undefined {
  const beginning = String.fromCharCode(...bytes.subarray(0, signature.length));
  if (beginning === signature) return undefined;
  if (beginning === "") return refused("file is empty, but a PNG is expected");
  if (signature.startsWith(beginning)) return broken("it is cut off in its signature");
  const other = beginning.startsWith("\xff\xd8\xff") ? "a JPG" : "something else";
  return refused(`file must be a PNG, but it is ${other}`);
}

/**
 * Returns why `bytes` are refused as a picture; undefined if they are not. Refused (3): bytes that
 * are not a PNG, a PNG that is cut off, altered or followed by other bytes, and a PNG over
 * {@linkcode PICTURE_BYTES}, {@linkcode PICTURE_SIDE} or {@linkcode PICTURE_CHUNKS}. The sentence
 * names the parameter `file` of the action. Each step sums {@linkcode PIECE_BYTES}.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { withoutPauses } from "faderd";
 *
 * const refusal = await withoutPauses.run(pngRefusal(Uint8Array.of(0xff, 0xd8, 0xff)));
 * assertEquals(refusal, { code: 3, message: "file must be a PNG, but it is a JPG" });
 * ```
 */
export function* pngRefusal(bytes: Uint8Array): Steps<Refusal | undefined> {
  const other = beginningRefusal(bytes);
  if (other !== undefined) return other;
  if (bytes.length > PICTURE_BYTES) {
    return refused(
      `file has ${bytes.length} bytes, but at most ${PICTURE_BYTES} (4 MiB) are allowed`,
    );
  }
  let at = signature.length;
  for (let count = 1; count <= PICTURE_CHUNKS; count++) {
    const chunk = yield* readChunk(bytes, at);
    if (isRefusal(chunk)) return chunk;
    const wrong = count === 1 ? headerRefusal(chunk) : undefined;
    if (wrong !== undefined) return wrong;
    at = chunk.end;
    if (chunk.type !== "IEND") continue;
    const left = bytes.length - at;
    return left > 0 ? refused(`file holds ${left} bytes after the end of the PNG`) : undefined;
  }
  return refused(`file has more than ${PICTURE_CHUNKS} chunks`);
}

/**
 * Reads the chunk that begins at byte `start`: 4 bytes of length, 4 of type, the data, 4 of CRC.
 */
function* readChunk(bytes: Uint8Array, start: number): Steps<Chunk | Refusal> {
  const cutOff = `it is cut off in the chunk at byte ${start}`;
  if (bytes.length < start + 12) return broken(cutOff);
  const type = String.fromCharCode(...bytes.subarray(start + 4, start + 8));
  const end = start + 12 + readUint32(bytes, start);
  if (end > bytes.length) return broken(cutOff);
  let sum = 0;
  for (let from = start + 4; from < end - 4; from += PIECE_BYTES) {
    sum = crc32(bytes.subarray(from, Math.min(from + PIECE_BYTES, end - 4)), sum);
    yield;
  }
  if (sum !== readUint32(bytes, end - 4)) {
    return broken(`the CRC of its chunk at byte ${start} is wrong`);
  }
  return { type, data: bytes.subarray(start + 8, end - 4), end };
}

function headerRefusal({ type, data }: Chunk): Refusal | undefined {
  if (type !== "IHDR" || data.length !== 13) return broken("its first chunk is not IHDR");
  const width = readUint32(data, 0);
  const height = readUint32(data, 4);
  const isAllowed = (side: number) => side >= 1 && side <= PICTURE_SIDE;
  return isAllowed(width) && isAllowed(height) ? undefined : refused(
    `file is ${width} x ${height} pixels, but 1 x 1 to ${PICTURE_SIDE} x ${PICTURE_SIDE} are allowed`,
  );
}

function readUint32(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);
}

function broken(what: string): Refusal {
  return refused(`file is a broken PNG: ${what}`);
}

function refused(sentence: string): Refusal {
  return refuse("invalidParameter", sentence);
}
