/**
 * Compaction beside appends: when it starts, that only one runs, and that nothing old is removed
 * before the checkpoint that replaces it is safe.
 *
 * @module
 */
import type { RecordBytes } from "../core/ports.ts";
import { writeCheckpoint } from "./checkpoint-file.ts";
import type { LogOptions } from "./contract.ts";
import type { LogFile } from "./recovery.ts";
import { isCheckpointDue, type Space } from "./space.ts";
import { describeFault } from "./storage-error.ts";
import type { Tail, TailOptions } from "./tail.ts";

/** Compacts one log. */
export interface Compactor {
  /** Whether the log should call {@link Compactor.start} before its next write. */
  isDue(): boolean;
  /** The log says so after each of its writes, done or failed. */
  written(): void;
  /** Begins a compaction; resolves when appends may go on, which is long before it is done. */
  start(): Promise<void>;
  /** Asks for a compaction; resolves when it is done. */
  request(): Promise<void>;
  /** Why the last one failed. */
  readonly failure: string | undefined;
  /** Gives up the running one. */
  stop(): Promise<void>;
}

/** What a compactor works on. */
export interface CompactorOptions
  extends TailOptions, Required<Pick<LogOptions, "checkpoint" | "pacer" | "afterOthers">> {
  readonly tail: Tail;
  /** The compactor calls this when {@link Compactor.isDue} may have become true without an append. */
  readonly wake: () => void;
}

/** The space that the files of a log take. */
export function spaceOf(chain: readonly LogFile[]): Space {
  const total = chain.reduce((sum, { bytes }) => sum + bytes, 0);
  const [first] = chain;
  return { total, live: first?.kind === "checkpoint" ? first.bytes : 0 };
}

/** Writes, or attempts at one, after a failure until it is tried again. */
const WRITES_AFTER_FAILURE = 100;

/** Makes the compactor of an open log. */
export function createCompactor(options: CompactorOptions): Compactor {
  const { files, folder, segmentBytes, chain, tail, checkpoint, afterOthers, wake } = options;
  const replaced: string[] = [];
  let requested: PromiseWithResolvers<void> | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;
  let failure: string | undefined;
  /**
   * After a failure it is not tried at every append, but when the log has grown some more, or, as a
   * full medium lets nothing grow, once in a while.
   */
  let notBefore = 0;
  let writesSince = 0;

  function isDue(): boolean {
    if (stopped || running !== undefined) return false;
    if (requested !== undefined) return true;
    const space = spaceOf(chain);
    if (!isCheckpointDue(space, segmentBytes)) return false;
    return space.total >= notBefore || writesSince >= WRITES_AFTER_FAILURE;
  }

  async function start(): Promise<void> {
    const wanted = requested;
    requested = undefined;
    try {
      // After one turn of the event loop, whoever waited for an acknowledgement has had it.
      await new Promise<void>((resolve) => afterOthers(resolve));
      const records = checkpoint();
      const sequence = await tail.begin();
      running = finish(sequence, records).then(
        () => settle(wanted, undefined),
        (fault) => settle(wanted, fault),
      );
    } catch (fault) {
      settle(wanted, fault);
    }
  }

  async function finish(sequence: number, records: Iterable<RecordBytes>): Promise<void> {
    const made = await writeCheckpoint(options, sequence, records, () => stopped);
    const kept = chain.findIndex((one) => one.kind === "segment" && one.sequence === sequence);
    replaced.push(...chain.splice(0, kept, made).map(({ name }) => name));
    while (replaced.length > 0) {
      await files.remove(`${folder}/${replaced[0]}`);
      replaced.shift();
    }
  }

  function settle(wanted: PromiseWithResolvers<void> | undefined, fault: unknown): void {
    running = undefined;
    failure = fault === undefined ? undefined : `compaction failed: ${describeFault(fault)}`;
    writesSince = 0;
    notBefore = fault === undefined ? 0 : spaceOf(chain).total + segmentBytes / 4;
    if (failure === undefined) wanted?.resolve();
    else wanted?.reject(new Error(failure));
    wake();
  }

  return {
    isDue,
    written() {
      writesSince++;
    },
    start,
    request() {
      if (stopped) return Promise.reject(new Error("the log is closed"));
      requested ??= Promise.withResolvers();
      wake();
      return requested.promise;
    },
    get failure() {
      return failure;
    },
    async stop() {
      stopped = true;
      requested?.reject(new Error("the log is closed"));
      await running;
    },
  };
}
