/**
 * The largest picture that the service takes.
 *
 * @module
 */
import { PICTURE_BYTES } from "../core/limits.ts";
import { chunk, end, header, png } from "../tests/core/pictures/made-png.ts";

/** Makes a PNG of the largest size that is accepted, with noise as its pixels. */
export function largestPng(): Uint8Array<ArrayBuffer> {
  const size = header({ width: 1024, height: 1024 });
  const others = png(size, chunk("IDAT"), end).length;
  return png(size, chunk("IDAT", noiseOf(PICTURE_BYTES - others)), end);
}

/** Returns bytes that cannot be compressed. */
export function noiseOf(length: number): Uint8Array<ArrayBuffer> {
  const noise = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) {
    crypto.getRandomValues(noise.subarray(at, at + 65_536));
  }
  return noise;
}
