/**
 * Appends that wait at the same time share one durable write.
 *
 * @module
 */
import type { RecordBytes } from "../core/ports.ts";
import { checkRecord, pieceBytes, storedBytes } from "./records.ts";
import type { ActiveSegment } from "./active-segment.ts";

/** The queue of records that wait for the medium. */
export type GroupCommit = ReturnType<typeof createGroupCommit>;

interface Waiting {
  readonly record: RecordBytes;
  readonly resolve: () => void;
  readonly reject: (fault: unknown) => void;
}

/**
 * Makes the queue before `active`. It calls `written` after each write, with the fault if it
 * failed; `written` must not throw.
 */
export function createGroupCommit(
  active: Pick<ActiveSegment, "write">,
  written: (fault?: unknown) => void,
) {
  const queue: Waiting[] = [];
  const interludes: (() => Promise<void>)[] = [];
  let working: Promise<void> | undefined;
  /** The fault of a failed write, until the callers that appended its records have been told. */
  let unheard: { readonly fault: unknown } | undefined;

  /** Starts the work after the present turn's appends, so that they share a write. */
  function wake(): void {
    working ??= Promise.resolve().then(work);
  }

  async function work(): Promise<void> {
    while (queue.length > 0 || interludes.length > 0) {
      await (interludes.shift() ?? storePiece)();
    }
    working = undefined;
  }

  /** Takes records from the front of the queue: as many as fit into one piece, but at least one. */
  function takePiece(): Waiting[] {
    let bytes = 0;
    const fitting = queue.findIndex(({ record }, at) => {
      bytes += storedBytes(record);
      return at > 0 && bytes > pieceBytes;
    });
    return queue.splice(0, fitting === -1 ? queue.length : fitting);
  }

  async function storePiece(): Promise<void> {
    const batch = takePiece();
    try {
      await active.write(batch.map(({ record }) => record));
    } catch (fault) {
      const refused = [...batch, ...queue.splice(0)];
      unheard = { fault };
      // This microtask runs just before the microtasks of the callers, which are told below.
      queueMicrotask(() => unheard = undefined);
      for (const { reject } of refused) reject(fault);
      return written(fault);
    }
    for (const { resolve } of batch) resolve();
    written();
  }

  return {
    /** Stores a record, as `Store.append` of core/ports.ts says. */
    append(record: RecordBytes): Promise<void> {
      const fault = checkRecord(record);
      if (fault !== undefined) return Promise.reject(fault);
      // The caller does not know yet that the records before this one were refused.
      if (unheard !== undefined) return Promise.reject(unheard.fault);
      return new Promise((resolve, reject) => {
        queue.push({ record, resolve, reject });
        wake();
      });
    },
    /** Does work while nothing is written; waiting records are written after it. */
    between<Result>(work: () => Promise<Result>): Promise<Result> {
      return new Promise((resolve, reject) => {
        interludes.push(() => work().then(resolve, reject));
        wake();
      });
    },
    /** Resolves when no record waits. */
    idle: (): Promise<void> => working ?? Promise.resolve(),
  };
}
