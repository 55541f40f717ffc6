/**
 * The condition of a log, held in one place, so that its owner is notified of each change.
 *
 * @module
 */
import type { Condition } from "./contract.ts";
import { causeOf, describeFault, isFull, isMissing } from "./storage-error.ts";

const remedy = "Create the folder again if it is missing; the alarm then ends by itself.";

/**
 * Tells the owner of a log its condition. An error of the owner is thrown again later, uncaught: it
 * must not keep records from being stored, or acknowledged.
 */
export function tellOwner(owner: (condition: Condition) => void, condition: Condition): void {
  try {
    owner(condition);
  } catch (fault) {
    queueMicrotask(() => {
      throw fault;
    });
  }
}

/**
 * Keeps the condition of a log, which is at first without faults. `changed` is called when `state`,
 * `compaction` or `slow` has changed.
 */
export function createCondition(changed: (condition: Condition) => void = () => {}) {
  let now: Condition = { state: "ok" };
  let fault: unknown;
  let compaction: string | undefined;
  let isSlow = false;

  function update(): void {
    const before = now;
    now = {
      ...stateOf(fault),
      ...isSlow && { slow: true },
      ...compaction !== undefined && { compaction },
    };
    const isSame = now.state === before.state && now.compaction === before.compaction &&
      now.slow === before.slow;
    if (!isSame) tellOwner(changed, now);
  }

  return {
    get now(): Condition {
      return now;
    },
    /** Called when the log works, except perhaps for compaction. */
    well(): void {
      fault = undefined;
      update();
    },
    /** Called when a write or the start of the log has failed. */
    failed(why: unknown): void {
      fault = why;
      update();
    },
    /** Sets the reason for which the last compaction failed; undefined if it succeeded. */
    compaction(why?: string): void {
      compaction = why;
      update();
    },
    /** Sets whether the medium takes long to sync. */
    slow(is: boolean): void {
      isSlow = is;
      update();
    },
  };
}

function stateOf(fault: unknown): Condition {
  if (fault === undefined) return { state: "ok" };
  const cause = causeOf(fault);
  const state = isFull(fault) ? "full" : "readonly";
  return { state, why: describeFault(cause), ...isMissing(cause) && { gone: true, remedy } };
}
