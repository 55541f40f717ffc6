/**
 * The largest picture that the service takes.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import { crc32 } from "../core/crc32.ts";
import { PICTURE_BYTES } from "../core/limits.ts";

/** A PNG of the largest size that is accepted, its pixels noise. */
export function largestPng(): Uint8Array<ArrayBuffer> {
  const header = [0, 0, 4, 0, 0, 0, 4, 0, 8, 2, 0, 0, 0];
  const around = 8 + 3 * 12 + header.length;
  const pixels = noiseOf(PICTURE_BYTES - around);
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  return concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", [])]);
}

/** Bytes that no compression makes fewer. */
export function noiseOf(length: number): Uint8Array<ArrayBuffer> {
  const noise = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) {
    crypto.getRandomValues(noise.subarray(at, at + 65_536));
  }
  return noise;
}

function chunk(type: string, data: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
