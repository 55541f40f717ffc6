/**
 * Makes a moving picture from still ones: an APNG, which browsers show like any PNG. Each frame
 * after the first one has only the pixels that differ from the frame before.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { crc32, deflateSync, inflateSync } from "node:zlib";

/** A still picture, and the time in ms for which it is shown. */
export interface Frame {
  /** A PNG, with 8 bits for each of red, green and blue, and perhaps of alpha, as browsers make it. */
  readonly png: Uint8Array;
  readonly ms: number;
}

/** A picture of four bytes for each pixel: red, green, blue, alpha. */
interface Raster {
  readonly width: number;
  readonly height: number;
  readonly points: Uint32Array<ArrayBuffer>;
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Number of bytes of a pixel, by the colour type of a PNG. */
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/**
 * Makes a moving picture that repeats without end. All frames must have the size of the first one.
 */
export function animate(frames: readonly Frame[]): Uint8Array<ArrayBuffer> {
  const rasters = frames.map(({ png }) => read(png));
  const { width, height } = rasters[0]!;
  const chunks = [
    chunk("IHDR", numbers(width, height), [8, 6, 0, 0, 0]),
    chunk("acTL", numbers(frames.length, 0)),
  ];
  let sequence = 0;
  for (const [at, { points }] of rasters.entries()) {
    const before = rasters[at - 1]?.points;
    // Pixels that do not change are transparent: a frame is drawn over the one before.
    const shown = before === undefined
      ? points
      : points.map((one, i) => one === before[i] ? 0 : one);
    const control = [...numbers(sequence++, width, height, 0, 0), ...short(frames[at]!.ms)];
    chunks.push(chunk("fcTL", control, [...short(1000), 0, before === undefined ? 0 : 1]));
    const packed = deflateSync(rows(shown, width), { level: 9 });
    chunks.push(
      before === undefined ? chunk("IDAT", packed) : chunk("fdAT", numbers(sequence++), packed),
    );
  }
  return new Uint8Array(Buffer.concat([SIGNATURE, ...chunks, chunk("IEND")]));
}

/** Reads a PNG. */
function read(png: Uint8Array): Raster {
  const view = new DataView(png.buffer, png.byteOffset);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const channels = CHANNELS[png[25]!];
  if (png[24] !== 8 || channels === undefined || png[28] !== 0) {
    throw new Error(
      "expected a frame as a PNG in RGB or RGBA, with 8 bits a channel, not interlaced",
    );
  }
  const parts: Uint8Array[] = [];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = view.getUint32(at);
    const isData = view.getUint32(at + 4) === 0x49444154;
    if (isData) parts.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const bytes = unfiltered(inflateSync(Buffer.concat(parts)), width * channels, channels);
  const points = new Uint32Array(width * height);
  const into = new Uint8Array(points.buffer).fill(0xff);
  for (let at = 0; at < points.length; at++) {
    into.set(bytes.subarray(at * channels, (at + 1) * channels), at * 4);
  }
  return { width, height, points };
}

/** Undoes the filter of each row; the first byte of a row names its filter (PNG, section 9). */
function unfiltered(filtered: Uint8Array, rowLength: number, channels: number): Uint8Array {
  const rows = filtered.length / (rowLength + 1);
  const bytes = new Uint8Array(rows * rowLength);
  for (let row = 0; row < rows; row++) {
    const filter = filtered[row * (rowLength + 1)]!;
    for (let column = 0; column < rowLength; column++) {
      const at = row * rowLength + column;
      const left = column < channels ? 0 : bytes[at - channels]!;
      const above = row === 0 ? 0 : bytes[at - rowLength]!;
      const corner = row === 0 || column < channels ? 0 : bytes[at - rowLength - channels]!;
      const foreseen = [0, left, above, (left + above) >> 1, nearest(left, above, corner)][filter]!;
      bytes[at] = filtered[row * (rowLength + 1) + 1 + column]! + foreseen;
    }
  }
  return bytes;
}

/**
 * Returns Paeth's prediction of a byte: that of its three neighbours which is nearest to left +
 * above - corner.
 */
function nearest(left: number, above: number, corner: number): number {
  const [toLeft, toAbove, toCorner] = [above - corner, left - corner, left + above - 2 * corner]
    .map(Math.abs) as [number, number, number];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/** Returns the rows as a PNG has them, without a filter. */
function rows(points: Uint32Array<ArrayBuffer>, width: number): Uint8Array {
  const bytes = new Uint8Array(points.buffer);
  const made = new Uint8Array(bytes.length + points.length / width);
  for (let row = 0; row < points.length / width; row++) {
    made.set(bytes.subarray(row * width * 4, (row + 1) * width * 4), row * (width * 4 + 1) + 1);
  }
  return made;
}

function chunk(type: string, ...parts: readonly Iterable<number>[]): Uint8Array {
  const named = Uint8Array.from([
    ...new TextEncoder().encode(type),
    ...parts.flatMap((p) => [...p]),
  ]);
  return Uint8Array.from([...numbers(named.length - 4), ...named, ...numbers(crc32(named))]);
}

/** Returns the bytes of numbers of 32 bits, the most significant byte of each first. */
function numbers(...values: readonly number[]): number[] {
  return values.flatMap((
    value,
  ) => [value >>> 24, value >>> 16 & 255, value >>> 8 & 255, value & 255]);
}

/** Returns the bytes of a number of 16 bits, the most significant byte first. */
function short(value: number): number[] {
  return [value >>> 8, value & 255];
}
