/**
 * The calls of a log without files: what it is asked goes through its queue until it is closed.
 *
 * @module
 */
import type { Log } from "./contract.ts";
import type { GroupCommit } from "./group-commit.ts";
import { StorageError } from "./storage-error.ts";

/**
 * Makes the calls that append to a log, compact and close it. Without `compact`, as nothing gives a
 * checkpoint, that is rejected.
 */
export function callsOn(
  commit: GroupCommit,
  compact: (() => Promise<void>) | undefined,
): Pick<Log, "append" | "compact" | "close"> {
  let closed = false;
  const refusal = () => new StorageError("closed", "could not be stored: the log is closed");
  return {
    append: (record) => closed ? Promise.reject(refusal()) : commit.append(record),
    compact() {
      if (closed) return Promise.reject(refusal());
      if (compact !== undefined) return commit.between(compact);
      return Promise.reject(new TypeError("compact: no checkpoint given"));
    },
    async close() {
      closed = true;
      await commit.idle();
    },
  };
}
