/**
 * One file of the simulated medium: the content that a running system sees, and that on the medium.
 *
 * @module
 */
import type { Chance } from "./random.ts";

/** Size of a sector, in bytes: a medium writes that much at once. */
export const sectorBytes = 512;

/** For each sector, the contents written to it that may be on the medium, oldest first. */
type Versions = Map<number, Uint8Array[]>;

/** A file's content, apart from its name. */
export interface Inode {
  /** The content that a running system reads. */
  seen: Uint8Array;
  /** The content after a power cut, except for the sectors and lengths below. */
  medium: Uint8Array;
  /** The sectors that the next sync writes to the medium. */
  readonly dirty: Versions;
  /**
   * The sectors of a failed write or sync: they may be on the medium or not, and a later sync does
   * not write them.
   */
  readonly lost: Versions;
  readonly dirtyLengths: number[];
  readonly lostLengths: number[];
}

/** A file of this content, all of it on the medium. */
export function newInode(content = new Uint8Array()): Inode {
  return {
    seen: content,
    medium: content.slice(),
    dirty: new Map(),
    lost: new Map(),
    dirtyLengths: [],
    lostLengths: [],
  };
}

/** A copy of an inode. */
export function copyInode(inode: Inode): Inode {
  const copied = (versions: Versions) =>
    new Map(Array.from(versions, ([sector, contents]) => [sector, [...contents]]));
  return {
    seen: inode.seen.slice(),
    medium: inode.medium.slice(),
    dirty: copied(inode.dirty),
    lost: copied(inode.lost),
    dirtyLengths: [...inode.dirtyLengths],
    lostLengths: [...inode.lostLengths],
  };
}

/** Content cut, or lengthened with zeros. */
function resized(content: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(length);
  next.set(content.subarray(0, length));
  return next;
}

function sectorOf(content: Uint8Array, sector: number): Uint8Array {
  return resized(content.subarray(sector * sectorBytes), sectorBytes);
}

/** From now on the seen content of the sectors of a range may be on the medium. */
function soil(inode: Inode, offset: number, length: number): void {
  const last = Math.floor((offset + length - 1) / sectorBytes);
  for (let sector = Math.floor(offset / sectorBytes); sector <= last; sector++) {
    add(inode.dirty, sector, [sectorOf(inode.seen, sector)]);
  }
}

function add(versions: Versions, sector: number, contents: readonly Uint8Array[]): void {
  const known = versions.get(sector);
  if (known === undefined) versions.set(sector, [...contents]);
  else known.push(...contents);
}

/** Shows a write to the running system. */
export function put(inode: Inode, bytes: Uint8Array, offset: number): void {
  if (bytes.length === 0) return;
  if (inode.seen.length < offset + bytes.length) {
    inode.seen = resized(inode.seen, offset + bytes.length);
    inode.dirtyLengths.push(inode.seen.length);
  }
  inode.seen.set(bytes, offset);
  soil(inode, offset, bytes.length);
}

/** Cuts or lengthens what the running system sees. */
export function setLength(inode: Inode, length: number): void {
  const before = inode.seen.length;
  if (length === before) return;
  inode.seen = resized(inode.seen, length);
  inode.dirtyLengths.push(length);
  // If the file grows again, it has zeros there, not the bytes that were cut off.
  if (length < before) soil(inode, length, before - length);
}

/**
 * Writes all dirty sectors to the medium, but not those lost in an earlier failure. Also writes a
 * lost length if the written sectors would otherwise lie beyond the end of the file.
 */
export function flush(inode: Inode): void {
  const last = Math.min((Math.max(-1, ...inode.dirty.keys()) + 1) * sectorBytes, inode.seen.length);
  const shortest = Math.min(inode.medium.length, ...inode.lostLengths);
  if (inode.dirtyLengths.length > 0 || last > shortest) {
    inode.medium = resized(inode.medium, inode.seen.length);
    inode.dirtyLengths.length = inode.lostLengths.length = 0;
  }
  for (const sector of inode.dirty.keys()) {
    const start = sector * sectorBytes;
    const end = Math.min(start + sectorBytes, inode.seen.length);
    if (start < end) inode.medium.set(inode.seen.subarray(start, end), start);
    inode.lost.delete(sector);
  }
  inode.dirty.clear();
}

/** A failed write or sync: no later sync writes its sectors to the medium. */
export function forget(inode: Inode): void {
  for (const [sector, contents] of inode.dirty) add(inode.lost, sector, contents);
  inode.lostLengths.push(...inode.dirtyLengths);
  inode.dirty.clear();
  inode.dirtyLengths.length = 0;
}

/** The content of a sector that was being written at a power cut. */
export type Rubbish = (chance: Chance) => Uint8Array;

/**
 * The content of a file after a power cut: each sector in flight stays, is written in one of its
 * versions, is torn, or, with `rubbish`, holds rubbish.
 */
export function leftOf(inode: Inode, chance: Chance, rubbish?: Rubbish): Uint8Array<ArrayBuffer> {
  const lengths = [inode.medium.length, ...inode.lostLengths, ...inode.dirtyLengths];
  const left = resized(inode.medium, lengths[chance.between(0, lengths.length - 1)]!);
  const doubtful = new Map(inode.lost);
  for (const [sector, contents] of inode.dirty) {
    doubtful.set(sector, [...(doubtful.get(sector) ?? []), ...contents]);
  }
  const fateOf = fates(chance, doubtful.size, rubbish === undefined ? 2 : 3);
  for (const [index, [sector, versions]] of [...doubtful].entries()) {
    const start = sector * sectorBytes;
    const fate = fateOf(index);
    if (fate === 0 || start >= left.length) continue;
    const version = versions[chance.between(0, versions.length - 1)]!;
    const content = fate === 3 ? rubbish!(chance) : version;
    const room = Math.min(sectorBytes, left.length - start);
    left.set(content.subarray(0, fate === 2 ? chance.between(0, room) : room), start);
  }
  return left;
}

/**
 * Decides the fate of each of `count` sectors: 0 it stays, 1 it is written, 2 it is torn, 3 it
 * holds rubbish. All stay, or all are written, or all before a torn or rubbish sector are written,
 * or each sector is decided for itself.
 */
function fates(chance: Chance, count: number, worst: number): (index: number) => number {
  const way = chance.between(0, 4);
  if (way < 2) return () => way;
  if (way > 2) return () => chance.between(0, worst);
  const last = chance.between(0, count - 1);
  const torn = chance.between(2, worst);
  return (index) => index < last ? 1 : index > last ? 0 : torn;
}
