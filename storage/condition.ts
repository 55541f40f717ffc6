/**
 * What is wrong with a log, kept in one place, so that its owner hears of each change.
 *
 * @module
 */
import type { Condition } from "./contract.ts";
import { causeOf, describeFault, isFull, isMissing } from "./storage-error.ts";

const remedy = "Make the folder again where it is gone; the alarm ends by itself.";

/** Makes the keeper of a log that is well; `changed` hears of changes of all but reasons. */
export function createCondition(
  changed: (condition: Condition) => void = () => {},
) {
  let now: Condition = { state: "ok" };

  function become(next: Condition): void {
    const told = next.state === now.state && next.compaction === now.compaction &&
      next.slow === now.slow;
    now = next;
    if (!told) changed(now);
  }

  const kept = () => ({
    ...now.slow && { slow: now.slow },
    ...now.compaction !== undefined && { compaction: now.compaction },
  });

  return {
    get now(): Condition {
      return now;
    },
    /** All is well but, maybe, for the compaction. */
    well: () => become({ state: "ok", ...kept() }),
    /** A write has failed, or the start of it. */
    failed(fault: unknown): void {
      const state = isFull(fault) ? "full" : "readonly";
      const why = describeFault(causeOf(fault));
      const gone = isMissing(causeOf(fault)) ? { gone: true, remedy } as const : {};
      become({ state, why, ...gone, ...kept() });
    },
    /** How the last compaction failed, in a sentence; without it, it did not. */
    compaction(why?: string): void {
      const { compaction: _, ...rest } = now;
      become(why === undefined ? rest : { ...rest, compaction: why });
    },
    /** Whether the medium takes long to sync. */
    slow(isSlow: boolean): void {
      if (isSlow === (now.slow ?? false)) return;
      const { slow: _, ...rest } = now;
      become(isSlow ? { ...rest, slow: true } : rest);
    },
  };
}
