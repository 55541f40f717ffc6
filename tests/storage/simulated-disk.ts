/**
 * A disk in memory that fails on request and loses power in the middle of any operation.
 *
 * It keeps the content that a running system sees apart from the content of the medium
 * (`simulated-medium.ts`). The differences - unsynced writes, lengths and names, and the sectors of
 * a failed write or sync - are decided by chance at a power cut: kept, lost, torn or rubbish, each
 * sector for itself. A failed sync forgets its data, as in Linux: a later sync succeeds without it.
 *
 * @module
 */
import type { FileSystem, OpenFile } from "../../storage/file-system.ts";
import type { Chance } from "./random.ts";
import { newInode, sectorBytes } from "./simulated-file.ts";
import {
  afterPowerCut,
  apply,
  type Change,
  type FileNumber,
  type Medium,
  type NameChange,
  newMedium,
} from "./simulated-medium.ts";

/** The operations that can be made to fail. */
export type Operation =
  | "read"
  | "write"
  | "sync"
  | "size"
  | "truncate"
  | "create"
  | "open"
  | "rename"
  | "remove"
  | "list"
  | "lock"
  | "makeFolder"
  | "syncFolder";

/** Operations that do not change the medium, so that no power cut is needed during them. */
const readOnly: readonly Operation[] = ["read", "size", "open", "list", "lock", "makeFolder"];

/** Operations that still work in a removed folder. */
const ofFiles: readonly Operation[] = ["read", "write", "sync", "size", "truncate"];

/** The error code with which an operation fails, if it does; "SHORT" makes a short write. */
export type Faults = (operation: Operation, path: string) => string | undefined;

/** How a process ends: with the machine, or alone. */
export type Ending = "power" | "kill";

/** The options of a disk. */
export interface DiskOptions {
  /** Its medium, which the disk changes; by default an empty one. */
  readonly medium?: Medium;
  /** Whether a sector that is being written at a power cut may hold any bytes; by default true. */
  readonly garbles?: boolean;
  /** Is told of each change of the medium. */
  readonly observe?: (change: Change) => void;
}

/** A disk and the switch that it hangs on. */
export interface SimulatedDisk {
  readonly files: FileSystem;
  faults: Faults;
  /** The capacity in bytes, without holes. */
  capacity: number;
  /** The used bytes, without holes. */
  readonly used: number;
  /**
   * Cuts the power in the middle of an operation: the given number of changing operations from now.
   */
  failPowerIn(operations: number): void;
  readonly isDown: boolean;
  /** The machine, or the process, starts again; `ending` is how it had ended. */
  restart(ending: Ending): void;
  /** Removes all that is in the folder. */
  emptyFolder(): void;
  /** Removes the folder, with all that is in it. */
  removeFolder(): void;
  /** Makes it again, empty. */
  makeFolder(): void;
  /** The content of a file, as a running system sees it. */
  content(name: string): Uint8Array;
  /** Changes a file, or makes it, behind the log's back. */
  tamper(name: string, change: (content: Uint8Array) => Uint8Array): void;
  /** Flips one bit of a file, counted from its start, behind the log's back. */
  flip(name: string, bit: number): void;
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code });
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Makes a disk, an empty one unless options say otherwise. */
export function createDisk(
  chance: Chance,
  { medium = newMedium(), garbles = true, observe = () => {} }: DiskOptions = {},
): SimulatedDisk {
  let power = Infinity;
  let down = false;
  let lockedBy: symbol | undefined;
  let isThere = true;
  let lastFile = Math.max(0, ...medium.files.keys());
  /** For each file, the sectors that are not holes. */
  const taken = new Map<FileNumber, Set<number>>();

  function happen(change: Change): void {
    apply(medium, change);
    observe(change);
  }

  function changeNames(change: NameChange): void {
    happen({ type: "names", change });
  }

  function used(): number {
    let sectors = 0;
    for (const file of new Set(medium.names.values())) sectors += taken.get(file)?.size ?? 0;
    return sectors * sectorBytes;
  }

  /** Takes space for a write; returns the number of its bytes that fit. */
  function takeRoom(file: FileNumber, offset: number, length: number): number {
    const sectors = taken.get(file) ?? new Set();
    taken.set(file, sectors);
    let room = disk.capacity === Infinity ? Infinity : disk.capacity - used();
    for (let at = offset - offset % sectorBytes; at < offset + length; at += sectorBytes) {
      if (sectors.has(at)) continue;
      if (room < sectorBytes) return Math.max(0, at - offset);
      room -= sectorBytes;
      sectors.add(at);
    }
    return length;
  }

  function freeRoom(file: FileNumber, length: number): void {
    const sectors = taken.get(file) ?? new Set();
    for (const at of sectors) if (at >= length) sectors.delete(at);
  }

  /** Any operation: takes some turns, so that others come between; power may be cut during it. */
  async function operate(operation: Operation, path: string, torn: () => void = () => {}) {
    for (let turns = chance.between(0, 3); turns > 0; turns--) await undefined;
    if (down) throw failure("POWER");
    if (!isThere && !ofFiles.includes(operation)) throw failure("ENOENT");
    if (!readOnly.includes(operation)) power -= 1;
    if (power <= 0) {
      down = true;
      torn();
      throw failure("POWER");
    }
    return disk.faults(operation, path);
  }

  /** The same for an operation that fails as a whole. */
  async function operateWhole(operation: Operation, path: string, torn?: () => void) {
    const code = await operate(operation, path, torn);
    if (code !== undefined) throw failure(code);
  }

  function fileOf(file: FileNumber, path: string): OpenFile {
    const inode = medium.files.get(file)!;
    const write = (bytes: Uint8Array, offset: number) =>
      happen({ type: "write", file, offset, bytes: bytes.slice() });
    return {
      async read(buffer, offset) {
        await operateWhole("read", path);
        const part = inode.seen.subarray(offset, offset + buffer.length);
        buffer.set(part);
        return part.length;
      },
      async write(bytes, offset) {
        const started = () => write(bytes.subarray(0, chance.between(0, bytes.length)), offset);
        const code = await operate("write", path, started);
        if (code !== undefined && code !== "SHORT") {
          started();
          happen({ type: "forget", file });
          throw failure(code);
        }
        const asked = code === "SHORT" ? chance.between(1, bytes.length) : bytes.length;
        const count = takeRoom(file, offset, asked);
        if (count === 0 && asked > 0) throw failure("ENOSPC");
        write(bytes.subarray(0, count), offset);
        return count;
      },
      async truncate(length) {
        await operateWhole("truncate", path);
        freeRoom(file, length);
        happen({ type: "length", file, bytes: length });
      },
      async sync() {
        const code = await operate("sync", path);
        happen({ type: code === undefined ? "sync" : "forget", file });
        if (code !== undefined) throw failure(code);
      },
      async size() {
        await operateWhole("size", path);
        return inode.seen.length;
      },
      isAt: (path) => medium.names.get(baseName(path)) === file,
      close: () => Promise.resolve(),
    };
  }

  function find(path: string): FileNumber {
    const file = medium.names.get(baseName(path));
    if (file === undefined) throw failure("ENOENT");
    return file;
  }

  async function open(path: string): Promise<OpenFile> {
    await operateWhole("open", path);
    return fileOf(find(path), path);
  }

  /** A new file, or the file of that name, emptied. */
  function make(path: string): FileNumber {
    const name = baseName(path);
    const there = medium.names.get(name);
    if (there !== undefined) {
      freeRoom(there, 0);
      happen({ type: "length", file: there, bytes: 0 });
      return there;
    }
    const file = ++lastFile;
    happen({ type: "make", file });
    changeNames([[name, file]]);
    return file;
  }

  const files: FileSystem = {
    makeFolder: (path) => operateWhole("makeFolder", path),
    async list(path) {
      await operateWhole("list", path);
      return [...medium.names.keys()];
    },
    async create(path) {
      await operateWhole("create", path, () => void make(path));
      return fileOf(make(path), path);
    },
    openToRead: open,
    open,
    async rename(from, to) {
      await operateWhole("rename", from);
      changeNames([[baseName(from), undefined], [baseName(to), find(from)]]);
    },
    async remove(path) {
      await operateWhole("remove", path);
      if (medium.names.has(baseName(path))) changeNames([[baseName(path), undefined]]);
    },
    async syncFolder(path) {
      await operateWhole("syncFolder", path);
      happen({ type: "syncNames" });
    },
    async lock(path) {
      await operateWhole("lock", path);
      if (lockedBy !== undefined) return undefined;
      const holder = Symbol();
      lockedBy = holder;
      return {
        release() {
          if (lockedBy === holder) lockedBy = undefined;
        },
      };
    },
  };

  const disk: SimulatedDisk = {
    files,
    faults: () => undefined,
    capacity: Infinity,
    get used() {
      return used();
    },
    failPowerIn(operations) {
      power = operations;
    },
    get isDown() {
      return down;
    },
    restart(ending) {
      if (ending === "power") {
        medium = afterPowerCut(medium, chance, garbles);
        for (const [file, { seen }] of medium.files) freeRoom(file, seen.length);
      }
      power = Infinity;
      down = false;
      lockedBy = undefined;
    },
    emptyFolder() {
      for (const name of [...medium.names.keys()]) changeNames([[name, undefined]]);
    },
    removeFolder() {
      disk.emptyFolder();
      lockedBy = undefined;
      isThere = false;
    },
    makeFolder() {
      isThere = true;
    },
    content: (name) => medium.files.get(find(name))!.seen.slice(),
    tamper(name, change) {
      const there = medium.names.get(name);
      const before = there === undefined ? new Uint8Array() : medium.files.get(there)!.seen.slice();
      const file = ++lastFile;
      medium.files.set(file, newInode(new Uint8Array(change(before))));
      medium.names.set(name, file);
      medium.mediumNames.set(name, file);
    },
    flip(name, bit) {
      const inode = medium.files.get(find(name))!;
      for (const content of [inode.seen, inode.medium]) content[bit >> 3]! ^= 1 << (bit & 7);
    },
  };
  for (const [file, { seen }] of medium.files) takeRoom(file, 0, seen.length);
  return disk;
}
