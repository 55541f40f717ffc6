/**
 * The medium of the simulated disk: files and their names, as a running system sees them, and as
 * they are after a power cut. Each event is a {@link Change}, so that a run can be repeated.
 *
 * @module
 */
import type { Chance } from "./random.ts";
import {
  copyInode,
  flush,
  forget,
  type Inode,
  leftOf,
  newInode,
  put,
  type Rubbish,
  sectorBytes,
  setLength,
} from "./simulated-file.ts";

/** A file, whatever its name is at the time. */
export type FileNumber = number;

/** Names set to a file, or to none; a rename is both at once. */
export type NameChange = readonly (readonly [name: string, file: FileNumber | undefined])[];

/** The events of a medium. */
export type Change =
  | { readonly type: "make"; readonly file: FileNumber }
  | {
    readonly type: "write";
    readonly file: FileNumber;
    readonly offset: number;
    readonly bytes: Uint8Array;
  }
  | { readonly type: "length"; readonly file: FileNumber; readonly bytes: number }
  | { readonly type: "sync"; readonly file: FileNumber }
  /** A write or sync has failed: the unsynced content of the file may never reach the medium. */
  | { readonly type: "forget"; readonly file: FileNumber }
  | { readonly type: "names"; readonly change: NameChange }
  | { readonly type: "syncNames" };

/** A medium. */
export interface Medium {
  readonly files: Map<FileNumber, Inode>;
  /** The names that a running system sees. */
  names: Map<string, FileNumber>;
  /** The names that are certain to be there after a power cut. */
  mediumNames: Map<string, FileNumber>;
  /** The changes of names between the two. */
  readonly changes: NameChange[];
}

/** A medium without files. */
export function newMedium(): Medium {
  return { files: new Map(), names: new Map(), mediumNames: new Map(), changes: [] };
}

/** A copy of a medium. */
export function copyMedium({ files, names, mediumNames, changes }: Medium): Medium {
  return {
    files: new Map(Array.from(files, ([file, inode]) => [file, copyInode(inode)])),
    names: new Map(names),
    mediumNames: new Map(mediumNames),
    changes: [...changes],
  };
}

/** Applies an event to a medium. */
export function apply(medium: Medium, change: Change): void {
  if (change.type === "names") {
    medium.changes.push(change.change);
    applyNames(medium.names, change.change);
    return;
  }
  if (change.type === "syncNames") {
    medium.mediumNames = new Map(medium.names);
    medium.changes.length = 0;
    dropNameless(medium);
    return;
  }
  if (change.type === "make") {
    medium.files.set(change.file, newInode());
    return;
  }
  const inode = medium.files.get(change.file);
  // A file without a name is not on the medium any more; only a process that has it open can still
  // use it.
  if (inode === undefined) return;
  if (change.type === "write") put(inode, change.bytes, change.offset);
  if (change.type === "length") setLength(inode, change.bytes);
  if (change.type === "sync") flush(inode);
  if (change.type === "forget") forget(inode);
}

function applyNames(names: Map<string, FileNumber>, change: NameChange): void {
  for (const [name, file] of change) {
    if (file === undefined) names.delete(name);
    else names.set(name, file);
  }
}

function dropNameless(medium: Medium): void {
  const named = new Set(medium.names.values());
  for (const file of medium.files.keys()) if (!named.has(file)) medium.files.delete(file);
}

/**
 * The medium after a power cut. Each change of names and each sector in flight is there or not,
 * independently of the others. With `garbles`, a sector that was being written may hold any bytes.
 */
export function afterPowerCut(medium: Medium, chance: Chance, garbles: boolean): Medium {
  const names = new Map(medium.mediumNames);
  const way = chance.between(0, 3);
  for (const change of medium.changes) {
    if (way === 0 || way > 1 && chance.hits(0.5)) applyNames(names, change);
  }
  const rubbish = garbles ? rubbishOf(medium) : undefined;
  const files = new Map<FileNumber, Inode>();
  for (const file of new Set(names.values())) {
    files.set(file, newInode(leftOf(medium.files.get(file)!, chance, rubbish)));
  }
  return { files, names, mediumNames: new Map(names), changes: [] };
}

/** Noise, the bytes of erased flash, or a sector of any file, as if written to a wrong place. */
function rubbishOf({ files }: Medium): Rubbish {
  const inodes = [...files.values()];
  return (chance) => {
    const sector = new Uint8Array(sectorBytes);
    const kind = chance.between(0, 2);
    if (kind === 0) return sector.fill(0xff);
    const { seen } = inodes[chance.between(0, inodes.length - 1)]!;
    if (kind === 1 && seen.length > sectorBytes) {
      const at = chance.between(0, Math.floor(seen.length / sectorBytes) - 1) * sectorBytes;
      return seen.slice(at, at + sectorBytes);
    }
    for (let at = 0; at < sectorBytes; at++) sector[at] = chance.between(0, 255);
    return sector;
  };
}
