/**
 * A disk in memory that fails on request and loses power in the middle of anything.
 *
 * It keeps what a running system sees apart from what is on the medium. What lies between the two -
 * unsynced writes, lengths and names, whatever a failed write or sync touched - is
 * decided by chance when power goes: kept, lost, or torn, each sector for itself. A failed sync
 * forgets what it should have written, as Linux does: a later sync succeeds without it.
 *
 * @module
 */
import type { FileSystem, OpenFile } from "../../storage/file-system.ts";
import type { Chance } from "./random.ts";
import { flush, type Inode, newInode, put, scatter, setLength } from "./simulated-file.ts";

/** The operations that can be made to fail. */
export type Operation =
  | "write"
  | "sync"
  | "truncate"
  | "create"
  | "rename"
  | "remove"
  | "syncFolder";

/** Says which operation fails, with which code; "SHORT" makes a write a short one. */
export type Faults = (operation: Operation, path: string) => string | undefined;

/** How a process ends: with the machine, or alone. */
export type Ending = "power" | "kill";

/** A disk and the switch that it hangs on. */
export interface SimulatedDisk {
  readonly files: FileSystem;
  faults: Faults;
  /** So many bytes fit on it; what would be more fails with ENOSPC. Names take no space. */
  capacity: number;
  /** The bytes that its files take. */
  readonly used: number;
  /** Power goes in the middle of the operation that many operations from now. */
  failPowerIn(operations: number): void;
  readonly isDown: boolean;
  /** The machine, or the process, starts again; `ending` is how it had ended. */
  restart(ending: Ending): void;
  /** What a file holds, as it is seen. */
  content(name: string): Uint8Array;
  /** Changes a file, or makes it, behind the log's back. */
  tamper(name: string, change: (content: Uint8Array) => Uint8Array): void;
}

/** A name set to an inode, or to none; a rename is both at once. */
type NameChange = ReadonlyMap<string, Inode | undefined>;

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code });
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Makes an empty disk. */
export function createDisk(chance: Chance): SimulatedDisk {
  let seenNames = new Map<string, Inode>();
  let mediumNames = new Map<string, Inode>();
  let changes: NameChange[] = [];
  let power = Infinity;
  let down = false;
  let lockedBy: symbol | undefined;

  /** Any operation: takes some turns, so that others come between; power may go during it. */
  async function operate(operation: Operation | "read", path: string, torn: () => void) {
    for (let turns = chance.between(0, 3); turns > 0; turns--) await undefined;
    if (down) throw failure("POWER");
    power -= 1;
    if (power <= 0) {
      down = true;
      torn();
      throw failure("POWER");
    }
    return operation === "read" ? undefined : disk.faults(operation, path);
  }

  function changeNames(change: NameChange) {
    changes.push(change);
    applyNames(seenNames, change);
  }

  function fileOf(inode: Inode, path: string): OpenFile {
    return {
      async read(buffer, offset) {
        await operate("read", path, () => {});
        const part = inode.seen.subarray(offset, offset + buffer.length);
        buffer.set(part);
        return part.length;
      },
      async write(bytes, offset) {
        const started = () =>
          put(inode, bytes.subarray(0, chance.between(0, bytes.length)), offset);
        const fault = await operate("write", path, started);
        const code = fault ?? (hasRoom(inode, bytes.length, offset) ? undefined : "ENOSPC");
        if (code !== undefined && code !== "SHORT") {
          started();
          scatter(inode, chance);
          throw failure(code);
        }
        const count = code === "SHORT" ? chance.between(1, bytes.length) : bytes.length;
        put(inode, bytes.subarray(0, count), offset);
        return count;
      },
      async truncate(length) {
        const code = await operate("truncate", path, () => {});
        if (code !== undefined) throw failure(code);
        setLength(inode, length);
      },
      async sync() {
        const code = await operate("sync", path, () => {});
        if (code !== undefined) {
          scatter(inode, chance);
          throw failure(code);
        }
        flush(inode);
      },
      size: () => Promise.resolve(inode.seen.length),
      close: () => Promise.resolve(),
    };
  }

  /** What files take, of all that are there; zeros that a file was lengthened by take none. */
  const used = () => [...seenNames.values()].reduce((sum, inode) => sum + inode.taken, 0);

  function hasRoom(inode: Inode, length: number, offset: number): boolean {
    const more = Math.max(0, offset + length - inode.taken);
    return used() + more <= disk.capacity;
  }

  function find(path: string): Inode {
    const inode = seenNames.get(baseName(path));
    if (inode === undefined) throw failure("ENOENT");
    return inode;
  }

  async function open(path: string): Promise<OpenFile> {
    await operate("read", path, () => {});
    return fileOf(find(path), path);
  }

  const files: FileSystem = {
    makeFolder: () => Promise.resolve(),
    async list() {
      await operate("read", "", () => {});
      return [...seenNames.keys()];
    },
    async create(path) {
      const inode = newInode();
      const change = new Map([[baseName(path), inode]]);
      const code = await operate("create", path, () => changeNames(change));
      if (code !== undefined) throw failure(code);
      changeNames(change);
      return fileOf(inode, path);
    },
    openToRead: open,
    open,
    async rename(from, to) {
      const code = await operate("rename", from, () => {});
      if (code !== undefined) throw failure(code);
      const inode = find(from);
      changeNames(new Map([[baseName(from), undefined], [baseName(to), inode]]));
    },
    async remove(path) {
      const code = await operate("remove", path, () => {});
      if (code !== undefined) throw failure(code);
      changeNames(new Map([[baseName(path), undefined]]));
    },
    async syncFolder(path) {
      const code = await operate("syncFolder", path, () => {});
      if (code !== undefined) throw failure(code);
      mediumNames = new Map(seenNames);
      changes = [];
    },
    lock() {
      if (lockedBy !== undefined) return Promise.resolve(undefined);
      const holder = Symbol();
      lockedBy = holder;
      return Promise.resolve(() => {
        if (lockedBy === holder) lockedBy = undefined;
      });
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
        const changed = changes.flatMap((change) => [...change.values()]);
        const inodes = [...seenNames.values(), ...mediumNames.values(), ...changed];
        for (const inode of new Set(inodes)) {
          if (inode === undefined) continue;
          scatter(inode, chance);
          inode.seen = inode.medium.slice();
        }
        for (const change of changes) if (chance.hits(0.5)) applyNames(mediumNames, change);
        seenNames = new Map(mediumNames);
        changes = [];
      }
      power = Infinity;
      down = false;
      lockedBy = undefined;
    },
    content: (name) => find(name).seen.slice(),
    tamper(name, change) {
      const content = change(seenNames.get(name)?.seen.slice() ?? new Uint8Array());
      const inode = { ...newInode(), seen: content, medium: content.slice() };
      seenNames.set(name, inode);
      mediumNames.set(name, inode);
    },
  };
  return disk;
}

function applyNames(names: Map<string, Inode>, change: NameChange) {
  for (const [name, inode] of change) {
    if (inode === undefined) names.delete(name);
    else names.set(name, inode);
  }
}
