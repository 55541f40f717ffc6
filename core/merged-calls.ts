/**
 * Merges calls of one kind in the audit trail: a fader that is ridden, or a client that repeats the
 * same call all day, must not fill it.
 *
 * @module
 */
import type { AuditEntry } from "./audit.ts";
import type { AuditLine } from "./audit-query.ts";
import { AUDIT_MERGE_MS } from "./limits.ts";
import { after, type Clock, type Timer } from "./ports.ts";

/** A call, or the last of merged calls; of calls over the quota only the caller is known. */
export interface ToldCall extends Partial<AuditEntry> {
  readonly what: string;
  /** Number of equal calls after the reported call. */
  readonly again?: number;
}

/** Merges calls of one kind. */
export interface MergedCalls {
  /** Takes a call; returns the number of bytes of its line, or of the line of the merged calls. */
  take(entry: AuditEntry): number;
  /** The lines of the merged calls, as they would be written now. */
  waiting(): readonly AuditLine[];
  /** Reports the merged calls now, and begins anew. */
  end(): void;
}

/** The options of the merging of calls. */
export interface MergeOptions {
  readonly clock: Pick<Clock, "now">;
  readonly timer: Timer;
  /** Quota of first calls, in bytes a minute. */
  readonly quota: number;
  /** The common name of the calls over the quota. */
  readonly others: string;
  /** Reports a call, or merged calls; returns the number of bytes of the line. */
  tell(told: ToldCall, ms?: number): number;
}

/** Equal calls since the first of them was reported. */
interface Kind {
  readonly size: number;
  again: number;
  last: AuditEntry;
  at: number;
}

/** A caller: one user at one address. */
interface Caller {
  taken: number;
  /** Number of its calls over the quota. */
  others: number;
}

/**
 * Merges calls of the same address, user, call, batch, and error code or changed paths: the first
 * is reported at once, the last after a minute, with the number of calls since. One caller takes at
 * most a quarter of the quota, and all callers together half of it, so that a later caller can
 * still be reported.
 */
export function mergeCalls({ clock, timer, quota, others, tell }: MergeOptions): MergedCalls {
  const kinds = new Map<string, Kind>();
  const callers = new Map<string, Caller>();
  let used = 0;
  let strangers = 0;
  let stopWait: (() => void) | undefined;

  function first(entry: AuditEntry, kind: string): number {
    const name = callerOf(entry);
    const caller = callers.get(name) ?? { taken: 0, others: 0 };
    // Half of the quota is kept for callers that have no line yet.
    const left = (caller.taken === 0 ? quota : quota / 2) - used;
    if (left <= 0 && caller.taken === 0) strangers++;
    else if (caller.taken >= left) caller.others++;
    else {
      const size = tell(entry);
      used += size;
      caller.taken += size;
      kinds.set(kind, { size, again: 0, last: entry, at: 0 });
      callers.set(name, caller);
      return size;
    }
    return 0;
  }

  function end(): void {
    stopWait?.();
    stopWait = undefined;
    for (const { again, last, at } of kinds.values()) if (again > 0) tell({ ...last, again }, at);
    for (const [name, caller] of callers) {
      if (caller.others > 0) tell({ ...JSON.parse(name), what: others, again: caller.others });
    }
    if (strangers > 0) tell({ what: others, again: strangers });
    kinds.clear();
    callers.clear();
    used = strangers = 0;
  }

  return {
    take(entry) {
      stopWait ??= after(timer, AUDIT_MERGE_MS, end);
      const kind = kindOf(entry);
      const known = kinds.get(kind);
      if (known === undefined) return first(entry, kind);
      known.again++;
      known.last = entry;
      known.at = clock.now();
      return known.again === 1 ? known.size : 0;
    },
    waiting() {
      const told = [...kinds.values()].filter(({ again }) => again > 0);
      return told.map(({ again, last, at }) => ({
        at: new Date(at).toISOString(),
        ...last,
        again,
      }));
    },
    end,
  };
}

/** A user at an address, as the entry of the calls over the quota names both. */
function callerOf({ user, from }: AuditEntry): string {
  return JSON.stringify({ user, from });
}

function kindOf({ from, user = "", what, batch = "", refused, changes = [] }: AuditEntry): string {
  let kind = `${from}\n${user}\n${what}\n${batch}\n${refused?.code ?? ""}`;
  for (const { path } of changes) kind += `\n${path}`;
  return kind;
}
