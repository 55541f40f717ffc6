/**
 * One file of the simulated disk: what is seen of it, and what of that is on the medium.
 *
 * @module
 */
import type { Chance } from "./random.ts";

/** A write under way reaches a sector whole, not at all, in part, or leaves garbage there. */
const sectorBytes = 512;

/** A file's content, apart from its name. */
export interface Inode {
  /** What a running system reads. */
  seen: Uint8Array;
  /** What is left when power goes. */
  medium: Uint8Array;
  /** Sectors that are seen, and may be on the medium or not. */
  readonly dirty: Set<number>;
  lengthDirty: boolean;
  /** Up to where something was written, in bytes: the space that it takes. */
  taken: number;
}

/** An empty file. */
export function newInode(): Inode {
  return {
    seen: new Uint8Array(),
    medium: new Uint8Array(),
    dirty: new Set(),
    lengthDirty: false,
    taken: 0,
  };
}

/** Content cut, or lengthened with zeros. */
function resized(content: Uint8Array, length: number): Uint8Array {
  const next = new Uint8Array(length);
  next.set(content.subarray(0, length));
  return next;
}

function sectorsOf(offset: number, length: number): number[] {
  const first = Math.floor(offset / sectorBytes);
  const last = Math.floor((offset + length - 1) / sectorBytes);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function copySector(from: Uint8Array, inode: Inode, sector: number, length = sectorBytes) {
  const start = sector * sectorBytes;
  const end = Math.min(start + length, from.length);
  if (end <= start) return;
  if (inode.medium.length < end) inode.medium = resized(inode.medium, end);
  inode.medium.set(from.subarray(start, end), start);
}

/** Content with noise in the place of one sector. */
function garbled(content: Uint8Array, sector: number, chance: Chance): Uint8Array {
  const noise = chance.between(1, 255);
  const noisy = content.slice();
  for (let at = sector * sectorBytes; at < (sector + 1) * sectorBytes; at++) {
    if (at < noisy.length) noisy[at]! ^= noise + at;
  }
  return noisy;
}

/** Each dirty sector reaches the medium, or does not, or half, or is garbled. */
export function scatter(inode: Inode, chance: Chance): void {
  for (const sector of inode.dirty) {
    const fate = chance.between(0, 3);
    if (fate === 1) copySector(inode.seen, inode, sector);
    if (fate === 2) copySector(inode.seen, inode, sector, chance.between(1, sectorBytes));
    if (fate === 3) copySector(garbled(inode.seen, sector, chance), inode, sector);
  }
  if (inode.lengthDirty && chance.hits(0.5)) {
    inode.medium = resized(inode.medium, inode.seen.length);
  }
  inode.dirty.clear();
  inode.lengthDirty = false;
}

/** Shows a write to the running system. */
export function put(inode: Inode, bytes: Uint8Array, offset: number): void {
  if (bytes.length === 0) return;
  if (inode.seen.length < offset + bytes.length) {
    inode.seen = resized(inode.seen, offset + bytes.length);
  }
  inode.seen.set(bytes, offset);
  inode.taken = Math.max(inode.taken, offset + bytes.length);
  for (const sector of sectorsOf(offset, bytes.length)) inode.dirty.add(sector);
}

/** Cuts or lengthens what the running system sees. */
export function setLength(inode: Inode, length: number): void {
  const before = inode.seen.length;
  inode.seen = resized(inode.seen, length);
  inode.taken = Math.min(inode.taken, length);
  inode.lengthDirty = true;
  // Should the file grow again, zeros are there, not what was cut off.
  if (length < before) {
    for (const one of sectorsOf(length, before - length)) {
      inode.dirty.add(one);
    }
  }
}

/** All that is dirty reaches the medium; what an earlier failure forgot is not. */
export function flush(inode: Inode): void {
  if (inode.lengthDirty || inode.medium.length < inode.seen.length) {
    inode.medium = resized(inode.medium, inode.seen.length);
  }
  for (const sector of inode.dirty) copySector(inode.seen, inode, sector);
  inode.dirty.clear();
  inode.lengthDirty = false;
}
