/**
 * PNG files made at run time, valid or with faults. Their checksums come from zlib, so that the tests
 * do not depend on the CRC-32 under test.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import { crc32, deflateSync } from "node:zlib";
import type { Refusal } from "../../../core/errors.ts";
import { atOnce } from "../../../core/cooperative-scheduler.ts";
import { type CheckedPicture, checkPicture } from "../../../core/pictures/resource.ts";
import { granted } from "../actors.ts";

/** The outcome of the check of a picture: the picture, or a refusal. */
export function check(bytes: Uint8Array): CheckedPicture | Refusal {
  return atOnce(checkPicture(bytes));
}

/** A picture, checked; throws when it is refused. */
export function checked(bytes: Uint8Array): CheckedPicture {
  return granted(check(bytes));
}

/** One byte for each character, U+0000 to U+00FF. */
export function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** The eight bytes that every PNG begins with. */
const signature = latin1("\x89PNG\r\n\x1a\n");

/** A chunk with a right CRC. */
export function chunk(type: string, data: Uint8Array = new Uint8Array()): Uint8Array<ArrayBuffer> {
  const typed = concat([latin1(type), data]);
  return concat([uint32(data.length), typed, uint32(crc32(typed))]);
}

/** An IHDR chunk of 8-bit RGB. */
export function header({ width = 3, height = 2 } = {}): Uint8Array<ArrayBuffer> {
  return chunk("IHDR", concat([uint32(width), uint32(height), Uint8Array.of(8, 2, 0, 0, 0)]));
}

/** An IDAT chunk: two black lines of three RGB pixels. */
export const pixels = chunk("IDAT", deflateSync(new Uint8Array(2 * (1 + 3 * 3))));

/** The chunk that ends every PNG. */
export const end = chunk("IEND");

/** A PNG of these chunks, with the signature before them. */
export function png(...chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return concat([signature, ...chunks]);
}

/** A whole, valid PNG of 3 x 2 pixels. */
export const smallPng = png(header(), chunk("tEXt", latin1("Title\0fader")), pixels, end);

/** Four bytes, big end first. */
function uint32(value: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}
