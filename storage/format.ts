/**
 * The bytes of the log, version 4: file names, the header of a file, the header of a record. All
 * numbers are big-endian. `docs/storage.md` has the diagram and a worked dump.
 *
 * @module
 */
import { beforeCrc32, crc32 } from "../core/crc32.ts";
import type { Random } from "../core/ports.ts";

/** The version of the format; no other version is read. */
export const formatVersion = 4;
/** The size of the header of a file, in bytes. */
export const headerBytes = 48;
/**
 * The offsets of the two copies of the header, in bytes: so far apart that a medium that writes in
 * pages does not lose both at once.
 */
export const headerPlaces = [0, 4096] as const;
/**
 * Size of a sector, in bytes, which a medium writes atomically: each write of records begins a new
 * sector.
 */
export const sectorBytes = 512;
/** The offset of the first record of a file, in bytes. */
export const recordsFrom = 4096 + sectorBytes;
/** The size of the header before every payload, in bytes. */
export const recordHeaderBytes = 16;
const summedBytes = 44;
/** Offset of the checksum in a header, in bytes: in version 1, in version 2, from version 3 on. */
const sumsOfVersions = [28, 32, summedBytes];
const logBytes = 8;
const magic = new TextEncoder().encode("faderlog");

const kindNumbers = { segment: 1, checkpoint: 2 } as const;

/** The kind and the number of a file, from its name. */
export interface FileIdentity {
  /** A segment is a run of appended records, a checkpoint is a state as records. */
  readonly kind: "segment" | "checkpoint";
  /** A segment's number, from 1; a checkpoint has the number of the segment after it. */
  readonly sequence: number;
}

/** Distinguishes a file from those of other logs, and from others of its own log. */
export interface Origin {
  /** A random number of 16 hexadecimal digits, the same in all files of a log. */
  readonly log: string;
  /**
   * A number that nobody can guess, different in each file: all checksums of its records begin from
   * it.
   */
  readonly salt: number;
  /**
   * The salt of the previous segment; 0 if there was none. A checkpoint has the same value as the
   * segment after it.
   */
  readonly previous: number;
}

/** The header of a file. */
export interface Header extends FileIdentity, Origin {
  /**
   * The offset in bytes at which the valid records end: in this file for a checkpoint, in the
   * previous file for a segment.
   */
  readonly end: number;
}

/** Makes the name of a file: `00000001.log`, `00000004.checkpoint`. */
export function fileName({ kind, sequence }: FileIdentity): string {
  return `${String(sequence).padStart(8, "0")}.${kind === "segment" ? "log" : "checkpoint"}`;
}

/**
 * Returns the kind and the number of a file by its name; undefined for a file that is not the
 * log's.
 */
export function parseFileName(name: string): FileIdentity | undefined {
  const [, digits, ending] = /^(\d{8,})\.(log|checkpoint)$/.exec(name) ?? [];
  if (digits === undefined) return undefined;
  return { kind: ending === "log" ? "segment" : "checkpoint", sequence: Number(digits) };
}

/** Makes the salt of a new file. */
export function newSalt(random: Random): number {
  const { buffer, byteOffset } = random.bytes(4);
  return new DataView(buffer, byteOffset).getUint32(0);
}

/** Makes the number of a new log. */
export function newLog(random: Random): string {
  return logAt(random.bytes(logBytes), 0);
}

/** Reads the number of a log from bytes, as 16 hexadecimal digits. */
function logAt({ buffer, byteOffset }: Uint8Array, offset: number): string {
  const number = new DataView(buffer, byteOffset + offset).getBigUint64(0);
  return number.toString(16).padStart(2 * logBytes, "0");
}

/** Makes the header of a file. */
export function encodeHeader(header: Header): Uint8Array {
  const { kind, sequence, end, salt, previous, log } = header;
  const bytes = new Uint8Array(headerBytes);
  const view = new DataView(bytes.buffer);
  bytes.set(magic);
  view.setUint32(8, formatVersion);
  view.setUint32(12, kindNumbers[kind]);
  view.setUint32(16, sequence);
  view.setBigUint64(20, BigInt(end));
  view.setUint32(28, salt);
  view.setUint32(32, previous);
  view.setBigUint64(36, BigInt(`0x${log}`));
  view.setUint32(summedBytes, crc32(bytes.subarray(0, summedBytes)));
  return bytes;
}

/**
 * Reads a header: undefined if it is incomplete or invalid, and only the version if that is another
 * one. A version is trusted only if the checksum is right.
 */
export function decodeHeader(bytes: Uint8Array): Header | { readonly version: number } | undefined {
  if (bytes.length < headerBytes || !magic.every((byte, at) => bytes[at] === byte)) {
    return undefined;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const version = view.getUint32(8);
  const summed = sumsOfVersions.find((at) => view.getUint32(at) === crc32(bytes.subarray(0, at)));
  if (summed === undefined) return undefined;
  if (version !== formatVersion || summed !== summedBytes) return { version };
  return {
    kind: view.getUint32(12) === kindNumbers.segment ? "segment" : "checkpoint",
    sequence: view.getUint32(16),
    end: Number(view.getBigUint64(20)),
    salt: view.getUint32(28),
    previous: view.getUint32(32),
    log: logAt(bytes, 36),
  };
}

/**
 * Number of bytes by which a closed last segment is longer than its records padded to whole
 * sectors.
 */
export const closedBytes = 1;
/** The same for a segment once the next one is on the medium. */
export const followedBytes = 2;

/**
 * Returns which of the two marks the length of a segment has; undefined for an unfinished segment.
 */
export function markOf(size: number): number | undefined {
  const mark = size % sectorBytes;
  return size > recordsFrom && (mark === closedBytes || mark === followedBytes) ? mark : undefined;
}

/** Returns the offset at which a write begins, if the records before it end at `end`. */
export function writeAfter(end: number): number {
  return Math.ceil(end / sectorBytes) * sectorBytes;
}

/**
 * Returns the seed of both checksums of a record. Because of it, bytes of a client never look like
 * a record, and a record is not valid in another place or file.
 */
export function seedOf(salt: number, offset: number): number {
  return (salt ^ offset) >>> 0;
}

/** The header of a record. */
export interface RecordHeader {
  /** The length of the payload, in bytes. */
  readonly length: number;
  /**
   * The end of the records that were on the medium before the write of this record began, as an
   * offset in bytes.
   */
  readonly durable: number;
  /** The checksum of the payload. */
  readonly sum: number;
}

/**
 * Returns the salt of a file, computed from the header of the record at `offset`, which is at `at`
 * in `view`; undefined if there can be no header. The header is not verified: only further records
 * that agree prove the salt.
 */
export function saltBehind(view: DataView, at: number, offset: number): number | undefined {
  if (view.getUint32(at + 4) === 0) return undefined;
  const summed = new Uint8Array(view.buffer, view.byteOffset + at + 4, recordHeaderBytes - 4);
  // XOR is its own inverse, so the seed and the offset give the salt.
  return seedOf(beforeCrc32(summed, view.getUint32(at)), offset);
}

/** Puts the header of a record at the front of `target`. */
export function putRecordHeader(target: Uint8Array, seed: number, header: RecordHeader): void {
  const view = new DataView(target.buffer, target.byteOffset);
  view.setUint32(4, header.length);
  view.setUint32(8, header.durable);
  view.setUint32(12, header.sum);
  view.setUint32(0, crc32(target.subarray(4, recordHeaderBytes), seed));
}

/** Reads the header of a record at `at`, completely in `view`; undefined if there is none. */
export function recordHeaderAt(view: DataView, at: number, seed: number): RecordHeader | undefined {
  const length = view.getUint32(at + 4);
  if (length === 0) return undefined;
  const summed = new Uint8Array(view.buffer, view.byteOffset + at + 4, recordHeaderBytes - 4);
  if (crc32(summed, seed) !== view.getUint32(at)) return undefined;
  return { length, durable: view.getUint32(at + 8), sum: view.getUint32(at + 12) };
}
