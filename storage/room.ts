/**
 * Making room before a write, so that the log can always be compacted, however full the medium is.
 *
 * @module
 */
import type { RecordBytes } from "../core/ports.ts";
import type { Compactor } from "./compaction.ts";
import { recordsFrom, writeAfter } from "./format.ts";
import { smallBytes, storedBytes } from "./records.ts";
import { sharesOf, worthCompacting } from "./space.ts";
import type { Reserve } from "./reserve.ts";
import { causeOf, describeFault, isFull, StorageError } from "./storage-error.ts";
import type { ActiveSegment } from "./active-segment.ts";
import { type LogMedium, spaceOf } from "./log-medium.ts";

/** The parts of a log that make room. */
export interface RoomOptions extends LogMedium {
  readonly active: ActiveSegment;
  readonly reserve: Reserve;
  readonly compactor: Compactor;
  /** Estimated size of the next checkpoint, in bytes. */
  readonly checkpointBytes?: (() => number) | undefined;
}

/**
 * A medium is tight from when it did not give what the reserve needs, or no room for a small record,
 * until it has given the next checkpoint and twice the slack. With less it would be tight again
 * after a few records.
 */
interface Tight {
  readonly why: unknown;
  /** How many small records were written since it was asked. */
  writes: number;
}

/** A medium that was full is asked for room again after this number of writes. */
const WRITES_WHILE_TIGHT = 100;

/** Makes the room of an open log. */
export function createRoom(options: RoomOptions) {
  const { active, reserve, compactor, chain, segmentBytes, folder } = options;
  const { checkpointBytes = () => spaceOf(chain).total } = options;
  const shares = sharesOf(segmentBytes);
  const { slack, lent } = shares;
  /** What the next checkpoint was to take when that was last asked, in bytes. */
  let known = Infinity;
  /** What was written since. */
  let since = 0;
  let tight: Tight | undefined;

  /** Asks what the next checkpoint takes when `bytes` more were appended. */
  async function ask(bytes: number): Promise<number> {
    // After one turn of the event loop, what was acknowledged is in force.
    await new Promise((resolve) => setImmediate(resolve));
    known = recordsFrom + checkpointBytes();
    since = 0;
    return known + bytes;
  }

  /**
   * Holds what the next checkpoint takes when `bytes` were appended. As long as the most that can
   * have become of it is less, nobody is asked. While a checkpoint is written the reserve is in use;
   * what may be appended meanwhile is bounded.
   */
  async function hold(bytes: number, isSmall: boolean): Promise<void> {
    if (compactor.isRunning) return;
    if (tight === undefined && known + since + bytes <= reserve.bytes) return;
    const needed = await ask(bytes);
    const mayTakeSlack = isSmall && needed + lent <= reserve.bytes;
    // What a small record was given is not to be taken back at once.
    if (mayTakeSlack && tight !== undefined && tight.writes++ < WRITES_WHILE_TIGHT) return;
    try {
      await lengthen(needed);
      tight = undefined;
    } catch (why) {
      tight = { why, writes: 0 };
      if (isFull(why) && !mayTakeSlack) throw why;
    }
  }

  async function lengthen(needed: number): Promise<void> {
    if (tight !== undefined) {
      await reserve.lengthen(needed + 2 * slack);
      await reserve.cut(needed + slack);
    } else if (needed + slack / 2 > reserve.bytes) await reserve.lengthen(needed + slack);
  }

  /** Where the medium has no room for small records, the reserve gives it some of its slack. */
  async function giveSlack(bytes: number): Promise<boolean> {
    if (await ask(bytes) + 2 * lent > reserve.bytes) return false;
    await reserve.cut(reserve.bytes - lent);
    return true;
  }

  /** Makes room where a write found none; answers whether it is worth to write again. */
  async function makeRoom(bytes: number, isSmall: boolean, why: unknown): Promise<boolean> {
    if (isSmall) tight = { why, writes: 0 };
    // Nothing can be written behind a segment that is not safe: first it needs its own room.
    if (isSmall && active.isOpen && await giveSlack(bytes).catch(() => false)) return true;
    // Small records are given half of the slack, so no more than that need be there to win.
    if (!await compactor.makeRoom(isSmall ? lent : Math.max(bytes, slack))) return false;
    // What it won the reserve has taken first.
    if (isSmall) await giveSlack(bytes);
    return true;
  }

  /** Writes as the active segment does, once there is room for it. */
  async function write(piece: readonly RecordBytes[]): Promise<void> {
    const bytes = writeAfter(storedBytes(...piece));
    const isSmall = piece.every((record) => storedBytes(record) <= smallBytes);
    await compactor.holds(bytes);
    try {
      // With a segment missing, the reserve proves that there was one: so the segment comes first.
      if (chain.length === 0) await active.begin();
      await hold(bytes, isSmall);
      await active.write(piece);
    } catch (fault) {
      // What may be found after a restart is not to be found twice.
      const mayRepeat = isFull(fault) && !(fault instanceof StorageError && !fault.certain);
      if (!mayRepeat || !await makeRoom(bytes, isSmall, fault)) throw notStored(fault, folder);
      await hold(bytes, isSmall).catch((fault) => {
        throw notStored(fault, folder);
      });
      await active.write(piece);
    }
    since += bytes;
  }

  async function makeReady(): Promise<void> {
    await active.open();
    await active.probe();
    known = Infinity;
    await hold(0, false);
    if (tight !== undefined) throw tight.why;
  }

  return {
    write,
    /**
     * Makes the log ready for the next small record, of which it is sure then that it finds room,
     * and tries to hold what the next checkpoint needs. Where that finds no room, it compacts once,
     * if that can win any. Rejects where the medium does not give it.
     */
    async restore(): Promise<void> {
      try {
        await makeReady();
      } catch (fault) {
        const takesSmall = known + 2 * lent <= reserve.bytes;
        const worth = recordsFrom + worthCompacting(spaceOf(chain), shares, takesSmall);
        if (!isFull(fault) || !await compactor.makeRoom(worth)) throw fault;
        await makeReady();
      }
    },
    /** Why the medium is {@link Tight}; undefined where it is not. */
    get lack(): unknown {
      return tight?.why;
    },
  };
}

function notStored(fault: unknown, folder: string): unknown {
  if (fault instanceof StorageError) return fault;
  const why = `${describeFault(causeOf(fault))} (${folder})`;
  return new StorageError("notStored", `could not be stored: ${why}`, true, { cause: fault });
}
