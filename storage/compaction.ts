/**
 * Compaction beside appends: when it starts, that only one runs, and that nothing old is removed
 * before the checkpoint that replaces it is safe.
 *
 * @module
 */
import type { RecordBytes } from "../core/ports.ts";
import { writeCheckpoint } from "./checkpoint-file.ts";
import type { LogOptions } from "./contract.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { LogFile } from "./recovery.ts";
import { isCheckpointDue, type Space } from "./space.ts";
import { describeFault } from "./storage-error.ts";
import type { Tail, TailOptions } from "./tail.ts";

/** Compacts one log. */
export interface Compactor {
  /**
   * The log says so after each of its writes, done or failed; a compaction that is due begins then.
   */
  written(): void;
  /** Asks for a compaction; resolves when it is done. */
  request(): Promise<void>;
  /** Gives up the compaction under way; resolves once it has ended. */
  stop(): Promise<void>;
}

/** What a compactor works on. */
export interface CompactorOptions
  extends
    TailOptions,
    Pick<GroupCommit, "between">,
    Required<Pick<LogOptions, "checkpoint" | "pacer">> {
  readonly tail: Tail;
  /** Is told how each compaction ended: why it failed, in a sentence, or without one. */
  readonly ended: (why?: string) => void;
}

/** Answers the space that the files of a log take. */
export function spaceOf(chain: readonly LogFile[]): Space {
  const total = chain.reduce((sum, { bytes }) => sum + bytes, 0);
  const [first] = chain;
  return { total, live: first?.kind === "checkpoint" ? first.bytes : 0 };
}

/** A compaction that failed is tried again after this many writes, or attempts at one. */
const WRITES_AFTER_FAILURE = 100;

/** Makes the compactor of an open log. */
export function createCompactor(options: CompactorOptions): Compactor {
  const { files, folder, segmentBytes, chain, tail, checkpoint, between, ended } = options;
  const replaced: string[] = [];
  /** All who ask before a compaction begins wait for the same one, which is this. */
  let requested: Promise<void> | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;
  /**
   * A compaction that failed is not tried again at every append, but when the log has grown to this
   * size, in bytes, or, as a full medium lets nothing grow, once in a while.
   */
  let notBefore = 0;
  let writesSince = 0;

  /** Appends wait for this, but not for the writing of the checkpoint. */
  async function begin(): Promise<{ records: Iterable<RecordBytes>; sequence: number }> {
    // After one turn of the event loop, whoever waited for an acknowledgement has had it. The
    // runtime loads `setImmediate` where it is first mentioned, which costs 1.4 MB of memory.
    await new Promise((resolve) => setImmediate(resolve));
    requested = undefined;
    return { records: checkpoint(), sequence: await tail.begin() };
  }

  function start(): Promise<void> {
    if (stopped) return Promise.reject(new Error("the log is closed"));
    return running ??= compact();
  }

  async function compact(): Promise<void> {
    try {
      const { records, sequence } = await between(begin);
      const made = await writeCheckpoint(options, sequence, records, () => stopped);
      const kept = chain.findIndex((one) => one.kind === "segment" && one.sequence === sequence);
      // Newest first: a power cut among the removals leaves no part that looks whole.
      replaced.push(...chain.splice(0, kept, made).map(({ name }) => name).reverse());
      while (replaced.length > 0) {
        await files.remove(`${folder}/${replaced[0]}`);
        replaced.shift();
      }
      notBefore = 0;
      ended();
    } catch (fault) {
      const compaction = `compaction failed: ${describeFault(fault)}`;
      notBefore = spaceOf(chain).total + segmentBytes / 4;
      ended(compaction);
      throw new Error(compaction, { cause: fault });
    } finally {
      writesSince = 0;
      running = undefined;
    }
  }

  return {
    written() {
      writesSince++;
      const space = spaceOf(chain);
      if (running !== undefined || !isCheckpointDue(space, segmentBytes)) return;
      if (space.total < notBefore && writesSince < WRITES_AFTER_FAILURE) return;
      start().catch(() => {});
    },
    request() {
      // The compaction under way may have begun too early to hold all that is stored by now.
      return requested ??= running === undefined ? start() : running.catch(() => {}).then(start);
    },
    async stop() {
      stopped = true;
      await running?.catch(() => {});
    },
  };
}
