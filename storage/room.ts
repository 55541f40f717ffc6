/**
 * Making room before a write, so that the log can always be compacted, however full the medium is.
 *
 * @module
 */
import type { RecordBytes } from "../core/ports.ts";
import { type Compactor, spaceOf } from "./compaction.ts";
import { recordsFrom, writeAfter } from "./format.ts";
import { storedBytes } from "./records.ts";
import { sharesOf } from "./space.ts";
import type { Spare } from "./spare.ts";
import { causeOf, describeFault, isFull, StorageError } from "./storage-error.ts";
import type { Tail, TailOptions } from "./tail.ts";

/** The room that a log has on its medium. */
export interface Room {
  /** Writes as {@link Tail.write} does, once there is room for it. */
  write(piece: readonly RecordBytes[]): Promise<void>;
  /** Tries to hold what the next checkpoint needs; rejects where the medium does not give it. */
  restore(): Promise<void>;
  /** Why less is held than the next checkpoint and all of the slack; undefined where it is not. */
  readonly lack: unknown;
}

/** What a room is made of. */
export interface RoomOptions extends Pick<TailOptions, "chain" | "segmentBytes" | "folder"> {
  readonly tail: Pick<Tail, "write">;
  readonly spare: Spare;
  readonly compactor: Pick<Compactor, "isRunning" | "holds" | "makeRoom">;
  /** About how long the next checkpoint would be, in bytes. */
  readonly checkpointBytes?: (() => number) | undefined;
}

/** A record is small up to this size, in bytes: it finds room on a medium that is full. */
const smallBytes = 4096;

/** The medium is asked for what it could not give again after so many writes. */
const WRITES_AFTER_FULL = 100;

/** Makes the room of an open log. */
export function createRoom(options: RoomOptions): Room {
  const { tail, spare, compactor, chain, segmentBytes, folder } = options;
  const { checkpointBytes = () => spaceOf(chain).total } = options;
  const { slack, lent } = sharesOf(segmentBytes);
  /** What the next checkpoint was to take when that was last asked, in bytes. */
  let known = Infinity;
  /** What was written since. */
  let since = 0;
  let lack: unknown;
  let writesSince = 0;

  async function ask(): Promise<void> {
    // After one turn of the event loop, what was acknowledged is in force.
    await new Promise((resolve) => setImmediate(resolve));
    known = recordsFrom + checkpointBytes();
    since = 0;
  }

  /**
   * Holds what the next checkpoint takes when `bytes` were appended. As long as the most that can
   * have become of it is less, nobody is asked. While a checkpoint is written the spare is in use;
   * what may be appended meanwhile is bounded.
   */
  async function hold(bytes: number, isSmall: boolean): Promise<void> {
    if (compactor.isRunning || lack === undefined && known + since + bytes <= spare.bytes) return;
    await ask();
    const needed = known + since + bytes;
    const hasSlack = isSmall && needed + lent <= spare.bytes;
    // What a small record was given is not to be taken back at once.
    if (hasSlack && lack !== undefined && writesSince++ < WRITES_AFTER_FULL) return;
    try {
      if (needed + slack / 2 > spare.bytes) await spare.lengthen(needed + slack);
      lack = undefined;
    } catch (fault) {
      lack = fault;
      writesSince = 0;
      if (isFull(fault) && !hasSlack) throw fault;
    }
  }

  /** Where the medium has no room for small records, the spare gives some of its slack. */
  async function lend(bytes: number, fault: unknown): Promise<boolean> {
    await ask();
    if (known + since + bytes + 2 * lent > spare.bytes) return false;
    await spare.cut(spare.bytes - lent);
    lack = fault;
    writesSince = 0;
    return true;
  }

  async function write(piece: readonly RecordBytes[]): Promise<void> {
    const bytes = writeAfter(storedBytes(...piece));
    const isSmall = piece.every((record) => storedBytes(record) <= smallBytes);
    await compactor.holds(bytes);
    try {
      await hold(bytes, isSmall);
      await tail.write(piece);
    } catch (fault) {
      // What may be found after a restart is not to be found twice.
      const mayRepeat = isFull(fault) && !(fault instanceof StorageError && !fault.certain);
      const again = mayRepeat &&
        (isSmall && await lend(bytes, fault).catch(() => false) ||
          await compactor.makeRoom(Math.max(bytes, slack)));
      if (!again) throw notStored(fault, folder);
      await hold(bytes, isSmall).catch((fault) => {
        throw notStored(fault, folder);
      });
      await tail.write(piece);
    }
    since += bytes;
  }

  return {
    write,
    async restore() {
      known = Infinity;
      await hold(0, false);
      if (lack !== undefined) throw lack;
    },
    get lack() {
      return lack;
    },
  };
}

function notStored(fault: unknown, folder: string): unknown {
  if (fault instanceof StorageError) return fault;
  const why = `${describeFault(causeOf(fault))} (${folder})`;
  return new StorageError("notStored", `could not be stored: ${why}`, true, { cause: fault });
}
