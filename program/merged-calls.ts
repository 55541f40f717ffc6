/**
 * Calls of one kind in the audit trail: a fader that is ridden, or somebody who tries the same all
 * day, must not fill it.
 *
 * @module
 */
import type { AuditEntry } from "../core/audit.ts";
import type { AuditLine } from "../core/audit-query.ts";
import { AUDIT_MERGE_MS } from "../core/limits.ts";
import { after, type Clock, type Timer } from "../core/ports.ts";

/** A call, or the last of merged ones; of calls over the quota only the caller is known. */
export interface ToldCall extends Partial<AuditEntry> {
  readonly what: string;
  /** Number of equal calls after the one that was told. */
  readonly again?: number;
}

/** Calls of one kind are told as one. */
export interface MergedCalls {
  /** Takes a call; returns the bytes of its line, or of the line that tells of merged calls. */
  take(entry: AuditEntry): number;
  /** The lines of the merged calls, as they would be told now. */
  waiting(): readonly AuditLine[];
  /** Tells of the merged calls now, and begins anew. */
  end(): void;
}

/** How calls are merged. */
export interface MergeOptions {
  readonly clock: Pick<Clock, "now">;
  readonly timer: Timer;
  /** Quota of first calls, in bytes a minute. */
  readonly quota: number;
  /** The common name of the calls over the quota. */
  readonly others: string;
  /** Tells of a call, or of merged ones; returns the bytes of the line. */
  tell(told: ToldCall, ms?: number): number;
}

/** Equal calls since the first of them was told. */
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
 * Merges calls of the same address, user, call, batch, and error code or changed paths: the first is
 * told at once, the last after a minute, with the number of calls since. One caller takes at most a
 * quarter of the quota, and all callers together half of it, so that a later caller can still be
 * told of.
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
