/**
 * The bytes of the log, version 1: file names, the header of a file, the header of a record. All
 * numbers are big-endian. `docs/storage.md` has the diagram and a worked dump.
 *
 * @module
 */
import { crc32 } from "../core/crc32.ts";

/** The version that is written, and the newest that is read. */
export const formatVersion = 1;
/** The header at the start of every file, in bytes. */
export const headerBytes = 32;
/** The header before every payload, in bytes: a CRC-32, the length, and where the write began. */
export const recordHeaderBytes = 12;
const magic = new TextEncoder().encode("faderlog");

const kindNumbers = { segment: 1, checkpoint: 2 } as const;

/** What the name of a file says of it. */
export interface FileIdentity {
  /** A run of appended records, or a state as records. */
  readonly kind: "segment" | "checkpoint";
  /** A segment's number, from 1; a checkpoint has that of the segment that follows it. */
  readonly sequence: number;
}

/** The header of a file. */
export interface Header extends FileIdentity {
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

/** Makes the 32 bytes at the start of a file. */
export function encodeHeader({ kind, sequence, end }: Header): Uint8Array {
  const bytes = new Uint8Array(headerBytes);
  const view = new DataView(bytes.buffer);
  bytes.set(magic);
  view.setUint32(8, formatVersion);
  view.setUint32(12, kindNumbers[kind]);
  view.setUint32(16, sequence);
  view.setBigUint64(20, BigInt(end));
  view.setUint32(28, crc32(bytes.subarray(0, 28)));
  return bytes;
}

/**
 * Reads a header: undefined when it is not whole or not right, and the version alone when that is a
 * newer one. The version is looked at before the sum, as a newer version may sum differently.
 */
export function decodeHeader(bytes: Uint8Array): Header | { readonly newer: number } | undefined {
  if (bytes.length < headerBytes || !magic.every((byte, at) => bytes[at] === byte)) {
    return undefined;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const version = view.getUint32(8);
  if (version > formatVersion) return { newer: version };
  if (view.getUint32(28) !== crc32(bytes.subarray(0, 28))) return undefined;
  return {
    kind: view.getUint32(12) === kindNumbers.segment ? "segment" : "checkpoint",
    sequence: view.getUint32(16),
    end: Number(view.getBigUint64(20)),
  };
}

/**
 * Begins the header of a record at the front of `target`; answers the sum so far, which goes on
 * over the payload. `start` is the offset in the file at which the write that carries this record
 * began: all before it was on the medium by then.
 */
export function beginRecordHeader(target: Uint8Array, start: number, length: number): number {
  const view = new DataView(target.buffer, target.byteOffset);
  view.setUint32(4, length);
  view.setUint32(8, start);
  return crc32(target.subarray(4, recordHeaderBytes));
}

/** Puts the sum over all of a record into its header, which makes it valid. */
export function finishRecordHeader(target: Uint8Array, sum: number): void {
  new DataView(target.buffer, target.byteOffset).setUint32(0, sum);
}

/** Answers the space that the record at `at` claims to take, in bytes. */
export function claimedBytes(view: DataView, at: number): number {
  return recordHeaderBytes + view.getUint32(at + 4);
}

/** Answers the offset at which the record at `at` claims that its write began. */
export function claimedStart(view: DataView, at: number): number {
  return view.getUint32(at + 8);
}

/**
 * Answers the payload of the record at `at`, a part of `view`, when it is all there and its sum is
 * right.
 */
export function decodeRecord(view: DataView, at: number): Uint8Array | undefined {
  const bytes = claimedBytes(view, at);
  if (bytes === recordHeaderBytes || at + bytes > view.byteLength) return undefined;
  const summed = new Uint8Array(view.buffer, view.byteOffset + at + 4, bytes - 4);
  return crc32(summed) === view.getUint32(at) ? summed.subarray(recordHeaderBytes - 4) : undefined;
}
