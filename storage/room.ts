/**
 * Reserves space on the medium before a write, so that the log can always be compacted, however
 * full the medium is.
 *
 * @module
 */
import type { RecordBytes } from "../core/ports.ts";
import type { Compactor } from "./compaction.ts";
import { recordsFrom, sectorBytes, writeAfter } from "./format.ts";
import { smallBytes, storedBytes } from "./records.ts";
import { sharesOf, worthCompacting } from "./space.ts";
import type { Reserve } from "./reserve.ts";
import { causeOf, describeFault, isFull, StorageError } from "./storage-error.ts";
import type { ActiveSegment } from "./active-segment.ts";
import { type LogMedium, spaceOf } from "./log-medium.ts";

/** The parts of a log that free space. */
export interface RoomOptions extends LogMedium {
  readonly active: ActiveSegment;
  readonly reserve: Reserve;
  readonly compactor: Compactor;
  /** Estimated size of the next checkpoint, in bytes. */
  readonly checkpointBytes?: (() => number) | undefined;
}

/**
 * A medium is tight from the moment when it lacked space for the reserve or for a small record,
 * until it has space for the next checkpoint and twice the slack. With less it would be tight again
 * after a few records.
 */
interface Tight {
  readonly why: unknown;
  /** Number of small records written since the medium was last asked for space. */
  writes: number;
}

/** How large the largest record of a write is: up to a sector, small, or larger. */
type RecordSize = "tiny" | "small" | "large";

/** Number of writes after which a full medium is asked for space again. */
const WRITES_WHILE_TIGHT = 100;

/** Makes the reservation of space for an open log. */
export function createRoom(options: RoomOptions) {
  const { active, reserve, compactor, chain, segmentBytes, folder } = options;
  const { checkpointBytes = () => spaceOf(chain).total } = options;
  const shares = sharesOf(segmentBytes);
  const { slack, lent } = shares;
  /**
   * The part of the slack, in bytes, that a write of each size must leave to smaller ones. Removals
   * are the smallest, so they find space on a medium that the others have filled.
   */
  const slackLeft: Readonly<Record<RecordSize, number>> = {
    tiny: lent,
    small: 2 * lent,
    large: 3 * lent,
  };
  /** The size of the next checkpoint in bytes, as last estimated. */
  let known = Infinity;
  /** Number of bytes written since that estimate. */
  let since = 0;
  let tight: Tight | undefined;

  /** Estimates the size of the next checkpoint after `bytes` more have been appended. */
  async function ask(bytes: number): Promise<number> {
    // After one turn of the event loop, every acknowledged record is in force.
    await new Promise((resolve) => setImmediate(resolve));
    known = recordsFrom + Math.ceil(checkpointBytes());
    since = 0;
    return known + bytes;
  }

  /**
   * Reserves the size of the next checkpoint after `bytes` have been appended. As long as the upper
   * bound of that size fits the reserve, no estimate is made. While a checkpoint is being written
   * the reserve is in use; the bytes that may be appended meanwhile are bounded.
   */
  async function hold(bytes: number, size: RecordSize): Promise<void> {
    if (compactor.isRunning) return;
    if (tight === undefined && known + since + bytes + slackLeft[size] <= reserve.bytes) return;
    const needed = await ask(bytes);
    // In an emptied folder a reserve that is made anew would prove that a segment is missing.
    active.expectThere();
    const isSmall = size !== "large";
    const mayTakeSlack = isSmall && needed + slackLeft[size] <= reserve.bytes;
    // Space that was released for a small record is not reserved again at once.
    if (mayTakeSlack && tight !== undefined && tight.writes++ < WRITES_WHILE_TIGHT) return;
    try {
      await lengthen(needed);
      tight = undefined;
    } catch (why) {
      tight = { why, writes: 0 };
      if (!isFull(why)) return;
      if (!isSmall) throw why;
      // The reserve may be as long as a checkpoint turned out to be, which was estimated larger.
      await reserve.lengthen(needed + slackLeft[size]);
    }
  }

  async function lengthen(needed: number): Promise<void> {
    if (tight !== undefined) {
      await reserve.lengthen(needed + 2 * slack);
      await reserve.cut(needed + slack);
    } else if (needed + slackLeft.large > reserve.bytes) await reserve.lengthen(needed + slack);
  }

  /**
   * If the medium has no space for small records, the reserve releases some of its slack; returns
   * whether it did.
   */
  async function giveSlack(bytes: number, size: RecordSize): Promise<boolean> {
    // A checkpoint that is being written into the reserve would be cut, too. None can begin before
    // the present write has ended. And nothing can be written behind a segment that is not safe:
    // that segment needs space first.
    if (compactor.isRunning || !active.isOpen) return false;
    try {
      if (await ask(bytes) + slackLeft[size] + lent > reserve.bytes) return false;
      active.expectThere();
      await reserve.cut(reserve.bytes - lent);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Frees space after a write that found none; says whether it makes sense to write again.
   * `wasCompacting` says whether a compaction was running when the write began.
   */
  async function makeRoom(
    bytes: number,
    size: RecordSize,
    why: unknown,
    wasCompacting: boolean,
  ): Promise<boolean> {
    const isSmall = size !== "large";
    if (isSmall) tight = { why, writes: 0 };
    if (isSmall && await giveSlack(bytes, size)) return true;
    // A compaction that ended while the write was being undone may have freed the space already.
    const hasEnded = wasCompacting && !compactor.isRunning;
    // Where no slack is left, the small records have filled `lent` bytes less some headers.
    const isCompacted = await compactor.makeRoom(isSmall ? lent / 2 : Math.max(bytes, slack)) ||
      hasEnded;
    // The reserve takes the freed space first. If the compaction failed, it has its slack still.
    const isGiven = isSmall && await giveSlack(bytes, size);
    return isCompacted || isGiven;
  }

  /** Writes to the active segment, once there is space for it. */
  async function write(piece: readonly RecordBytes[]): Promise<void> {
    const bytes = writeAfter(storedBytes(...piece));
    const largest = Math.max(...piece.map((record) => storedBytes(record)));
    const size = largest <= sectorBytes ? "tiny" : largest <= smallBytes ? "small" : "large";
    // While a checkpoint is being written the reserve cannot grow. On a full medium a large record
    // waits for its end.
    await compactor.holds(size === "large" && tight !== undefined ? Infinity : bytes);
    const wasCompacting = compactor.isRunning;
    try {
      // If a segment is missing, the existence of the reserve proves that there was one. So the
      // first segment is on the medium before the reserve is made, its name too.
      if (chain.length === 0) await active.begin();
      else if (!active.isOpen) await active.open();
      await hold(bytes, size);
      await active.write(piece);
    } catch (fault) {
      // A record that a restart may find must not be written a second time.
      const mayRepeat = isFull(fault) && !(fault instanceof StorageError && !fault.certain);
      if (!mayRepeat || !await makeRoom(bytes, size, fault, wasCompacting)) {
        throw notStored(fault, folder);
      }
      await hold(bytes, size).catch((fault) => {
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
    await hold(0, "large");
    if (tight !== undefined) throw tight.why;
  }

  return {
    write,
    /**
     * Makes sure that the next small record finds space, and tries to reserve the size of the next
     * checkpoint. If there is no space for that, it compacts once, provided that this can free any.
     * Rejects if the medium still lacks the space.
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
    /** Why the medium is {@link Tight}; undefined if it is not. */
    get lack(): unknown {
      return tight?.why;
    },
  };
}

function notStored(fault: unknown, folder: string): unknown {
  if (fault instanceof StorageError) return fault;
  const why = `${describeFault(causeOf(fault))} (${folder})`;
  return new StorageError("notStored", `the change could not be stored: ${why}`, true, {
    cause: fault,
  });
}
