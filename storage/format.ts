/**
 * The bytes of the log, version 2: file names, the header of a file, the header of a record. All
 * numbers are big-endian. `docs/storage.md` has the diagram and a worked dump.
 *
 * @module
 */
import { beforeCrc32, crc32 } from "../core/crc32.ts";

/** The version that is written, and the newest that is read. */
export const formatVersion = 2;
/** The header of a file, in bytes. */
export const headerBytes = 40;
/**
 * Where the header stands, in bytes: twice, and so far apart that a medium that writes in pages
 * does not lose both at once.
 */
export const headerPlaces = [0, 4096] as const;
/** What a medium writes at once, or not, in bytes: each write of records begins a new one. */
export const sectorBytes = 512;
/** Where the records of a file begin, in bytes. */
export const recordsFrom = 4096 + sectorBytes;
/** The header before every payload, in bytes. */
export const recordHeaderBytes = 16;
const summedBytes = 32;
const magic = new TextEncoder().encode("faderlog");

const kindNumbers = { segment: 1, checkpoint: 2 } as const;

/** What the name of a file says of it. */
export interface FileIdentity {
  /** A run of appended records, or a state as records. */
  readonly kind: "segment" | "checkpoint";
  /** A segment's number, from 1; a checkpoint has that of the segment that follows it. */
  readonly sequence: number;
}

/** How the records of a file are written. */
export interface Form {
  readonly version: number;
  /** A number that nobody can guess, another in each file: all sums of its records begin from it. */
  readonly salt: number;
}

/** The header of a file. */
export interface Header extends FileIdentity, Form {
  /** Where valid records end, in bytes: in a checkpoint its own, in a segment its predecessor's. */
  readonly end: number;
}

/** Makes the name of a file: `00000001.log`, `00000004.checkpoint`. */
export function fileName({ kind, sequence }: FileIdentity): string {
  return `${String(sequence).padStart(8, "0")}.${kind === "segment" ? "log" : "checkpoint"}`;
}

/** Answers what a file's name says of it; undefined for a file that is not the log's. */
export function parseFileName(name: string): FileIdentity | undefined {
  const [, digits, ending] = /^(\d{8,})\.(log|checkpoint)$/.exec(name) ?? [];
  if (digits === undefined) return undefined;
  return { kind: ending === "log" ? "segment" : "checkpoint", sequence: Number(digits) };
}

/** How a new file is written: by this version, with a salt of its own. */
export function newForm(): Form {
  return { version: formatVersion, salt: crypto.getRandomValues(new Uint32Array(1))[0]! };
}

/** Makes the header of a file of this version. */
export function encodeHeader({ kind, sequence, end, salt }: Omit<Header, "version">): Uint8Array {
  const bytes = new Uint8Array(headerBytes);
  const view = new DataView(bytes.buffer);
  bytes.set(magic);
  view.setUint32(8, formatVersion);
  view.setUint32(12, kindNumbers[kind]);
  view.setUint32(16, sequence);
  view.setBigUint64(20, BigInt(end));
  view.setUint32(28, salt);
  view.setUint32(summedBytes, crc32(bytes.subarray(0, summedBytes)));
  return bytes;
}

/** Says whether a file begins as all files of the log do, of any version. */
export function hasMagic(bytes: Uint8Array): boolean {
  return magic.every((byte, at) => bytes[at] === byte);
}

/**
 * Reads a header: undefined when it is not whole or not right, and the version alone when that is a
 * newer one. The sum stands at the same place in all versions but the first, so the version is not
 * believed before it.
 */
export function decodeHeader(bytes: Uint8Array): Header | { readonly newer: number } | undefined {
  if (bytes.length < headerBytes || !hasMagic(bytes)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (view.getUint32(summedBytes) !== crc32(bytes.subarray(0, summedBytes))) return undefined;
  const version = view.getUint32(8);
  if (version > formatVersion) return { newer: version };
  return {
    version,
    kind: view.getUint32(12) === kindNumbers.segment ? "segment" : "checkpoint",
    sequence: view.getUint32(16),
    end: Number(view.getBigUint64(20)),
    salt: view.getUint32(28),
  };
}

/** Answers where a write of records begins when those before it end at `end`. */
export function writeAfter(end: number): number {
  return Math.ceil(end / sectorBytes) * sectorBytes;
}

/**
 * What both sums of a record begin from: so bytes of a client never look like a record, nor does a
 * record look like one in another place or file.
 */
export function seedOf(salt: number, offset: number): number {
  return (salt ^ offset) >>> 0;
}

/** The header of a record. */
export interface RecordHeader {
  /** The length of the payload, in bytes. */
  readonly length: number;
  /** Where the records ended that were on the medium before the write of this one began. */
  readonly durable: number;
  /** The sum of the payload. */
  readonly sum: number;
}

/**
 * Answers the salt of a file in which the header of a record stands at `offset`, which is at `at`
 * in `view`; undefined where none can stand. What stands there is believed: only records that agree
 * prove the salt.
 */
export function saltBehind(view: DataView, at: number, offset: number): number | undefined {
  if (view.getUint32(at + 4) === 0) return undefined;
  const summed = new Uint8Array(view.buffer, view.byteOffset + at + 4, recordHeaderBytes - 4);
  // The salt is to the seed as the seed is to the salt.
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

/** Reads the header of a record at `at`, all of which is in `view`; undefined where none stands. */
export function recordHeaderAt(view: DataView, at: number, seed: number): RecordHeader | undefined {
  const length = view.getUint32(at + 4);
  if (length === 0) return undefined;
  const summed = new Uint8Array(view.buffer, view.byteOffset + at + 4, recordHeaderBytes - 4);
  if (crc32(summed, seed) !== view.getUint32(at)) return undefined;
  return { length, durable: view.getUint32(at + 8), sum: view.getUint32(at + 12) };
}
