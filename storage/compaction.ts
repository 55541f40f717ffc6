/**
 * Compaction beside appends: decides when it starts, and ensures that only one runs and that
 * nothing old is removed before the checkpoint that replaces it is safe.
 *
 * @module
 */
import { type CheckpointOptions, writeCheckpoint } from "./checkpoint-file.ts";
import type { LogOptions } from "./contract.ts";
import { closing } from "./file-system.ts";
import { newSalt, writeAfter } from "./format.ts";
import type { GroupCommit } from "./group-commit.ts";
import { type LogFile, type LogMedium, spaceOf } from "./log-medium.ts";
import { hasManyFiles, isCheckpointDue, sharesOf } from "./space.ts";
import { describeFault } from "./storage-error.ts";
import type { ActiveSegment } from "./active-segment.ts";

/** Compacts one log. */
export type Compactor = ReturnType<typeof createCompactor>;

/** The parts of a log that a compactor works on. */
export interface CompactorOptions
  extends LogMedium, CheckpointOptions, Required<Pick<LogOptions, "checkpoint">> {
  readonly active: ActiveSegment;
  /** Called when a compaction has ended: with the reason in a sentence if it failed. */
  readonly ended: (why?: string) => void;
}

/** Number of writes, done or failed, after which a failed compaction is tried again. */
const WRITES_AFTER_FAILURE = 100;

/** A compaction under way. */
interface Running {
  /** Size of the log when the compaction was begun, in bytes. */
  readonly total: number;
  /** Resolves when appends may go on. */
  readonly begun: Promise<void>;
  /** Resolves when it is done; rejects where it failed. */
  readonly done: Promise<void>;
}

/** Removes files that were replaced; an old checkpoint becomes the reserve, if it can. */
async function removeReplaced(
  { files, folder, reserve }: CompactorOptions,
  replaced: string[],
): Promise<void> {
  while (replaced.length > 0) {
    const name = replaced[0]!;
    const mayServe = name.endsWith(".checkpoint") && reserve.bytes === 0;
    if (!(mayServe && await reserve.take(name))) await files.remove(`${folder}/${name}`);
    replaced.shift();
  }
}

/**
 * Lengthens the reserve to the size that the next checkpoint needs, before somebody else takes the
 * space. If it is too short, it first gets the unused space at the end of the new checkpoint, which
 * is as long as the reserve that it was written into.
 */
async function renewReserve(
  { files, folder, reserve, segmentBytes }: CompactorOptions,
  { name, bytes }: LogFile,
): Promise<void> {
  const { slack, lent } = sharesOf(segmentBytes);
  // This reserve suffices for small records; the next write asks for the rest.
  if (reserve.bytes >= bytes + 2 * lent) return;
  // A failure is reported when the next write asks for the space.
  try {
    await closing(files.open(`${folder}/${name}`), (file) => {
      // The sector with the end of its records is not touched.
      return file.truncate(writeAfter(bytes));
    });
    await reserve.lengthen(bytes + slack);
  } catch {
    await reserve.lengthen(bytes + 2 * lent).catch(() => {});
  }
}

/** Makes the compactor of an open log. */
export function createCompactor(options: CompactorOptions) {
  const { segmentBytes, chain, active, checkpoint, ended, reserve, random } = options;
  const { meanwhile, slack, lent } = sharesOf(segmentBytes);
  const replaced: string[] = [];
  /** The requested compaction that has not begun: further requests wait for it, too. */
  let requested: Promise<void> | undefined;
  let running: Running | undefined;
  let stopped = false;
  /**
   * A compaction that failed is not tried again at every append, but when the log has grown to this
   * size, in bytes, or, because a full medium lets nothing grow, after {@linkcode
   * WRITES_AFTER_FAILURE} writes.
   */
  let notBefore = 0;
  let writesSince = 0;

  /**
   * Begins a compaction, unless one is under way. No other write may overlap this call; once it has
   * resolved, writes may overlap the writing of the checkpoint.
   */
  async function begin(): Promise<Running> {
    if (stopped) throw new Error("the log is closed");
    if (running === undefined) {
      // Node 20 has no `Promise.withResolvers`.
      let tellBegun = () => {};
      const begun = new Promise<void>((resolve) => tellBegun = resolve);
      const done = compact(tellBegun);
      // Its failure is reported in the condition of the log, too.
      done.catch(() => {});
      running = { total: spaceOf(chain).total, begun, done };
    }
    const one = running;
    await one.begun;
    return one;
  }

  async function compact(begun: () => void): Promise<void> {
    try {
      // After one turn of the event loop, all acknowledgements have been delivered. The
      // runtime loads `setImmediate` where it is first mentioned, which costs 1.4 MB of memory.
      await new Promise((resolve) => setImmediate(resolve));
      const records = checkpoint();
      // An empty log has no records that a checkpoint could replace.
      const isSafe = active.isOpen || chain.length === 0;
      const follower = await reserve.yielding(lent, isSafe ? active.begin : active.prepare);
      const { sequence, log, previous } = follower;
      const identity = { sequence, log, previous, salt: newSalt(random) };
      if (isSafe) begun();
      const made = await writeCheckpoint(options, identity, records, () => stopped);
      if (!isSafe) await active.follow();
      const kept = chain.findIndex((one) => one.kind === "segment" && one.sequence === sequence);
      // Newest first: a power cut between the removals leaves no part of the old log that looks
      // complete.
      replaced.push(...chain.splice(0, kept, made).map(({ name }) => name).reverse());
      await removeReplaced(options, replaced);
      await reserve.cut(made.bytes + slack);
      if (!stopped) await renewReserve(options, made);
      notBefore = 0;
      ended();
    } catch (fault) {
      const compaction = `compaction failed: ${describeFault(fault)}`;
      notBefore = spaceOf(chain).total + segmentBytes / 4;
      // That closing the log has given it up is no fault of the medium.
      if (!stopped) ended(compaction);
      throw new Error(compaction, { cause: fault });
    } finally {
      writesSince = 0;
      running = undefined;
      begun();
    }
  }

  return {
    /**
     * Returns whether a compaction is to begin now. The log asks after each of its writes, done or
     * failed.
     */
    isDue(): boolean {
      writesSince++;
      const space = spaceOf(chain);
      if (running !== undefined) return false;
      // Each file costs a descriptor and a block, however little it holds: this cannot wait.
      if (hasManyFiles(chain.length, space, segmentBytes)) return true;
      if (!isCheckpointDue(space, segmentBytes)) return false;
      return space.total >= notBefore || writesSince >= WRITES_AFTER_FAILURE;
    },
    begin,
    /** Asks for a compaction, which begins `between` writes; resolves when it is done. */
    request(between: GroupCommit["between"]): Promise<void> {
      const start = async () => {
        const { done } = await between(() => {
          requested = undefined;
          return begin();
        });
        await done;
      };
      // The compaction under way may have begun too early to contain everything stored by now.
      return requested ??= running === undefined
        ? start()
        : running.done.catch(() => {}).then(start);
    },
    /** Whether a checkpoint is being written. */
    get isRunning(): boolean {
      return running !== undefined;
    },
    /**
     * Returns the promise that a write of this many bytes has to wait for: the end of the
     * checkpoint, done or failed, if too much was appended since it was begun. Undefined if the
     * write may go on.
     */
    holds(bytes: number): Promise<unknown> | undefined {
      if (running === undefined || spaceOf(chain).total + bytes <= running.total + meanwhile) {
        return undefined;
      }
      return running.done.catch(() => {});
    },
    /**
     * Compacts for a write that found no space; no other write may overlap this call. Resolves with
     * whether there is more space now. Does nothing if less than `bytes` could be gained, unless
     * lack of space has kept the log from being made safe to append to.
     */
    async makeRoom(bytes: number): Promise<boolean> {
      const { total, live } = spaceOf(chain);
      if (running === undefined && active.isOpen && total - live < bytes) return false;
      try {
        await (await begin()).done;
        return true;
      } catch {
        return false;
      }
    },
    /** Gives up the compaction under way; resolves once it has ended. */
    async stop(): Promise<void> {
      stopped = true;
      await running?.done.catch(() => {});
    },
  };
}
