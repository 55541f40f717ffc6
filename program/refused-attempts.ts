/**
 * Refused attempts in the audit trail: somebody who tries the same all day must not fill it.
 *
 * @module
 */
import type { AuditEntry } from "../core/audit.ts";
import { AUDIT_REFUSED } from "../core/limits.ts";

/** Attempts that were refused since they were last summed up. */
export interface RefusedAttempts {
  /** Says whether this is the first of its kind, which is to be told; the others are counted. */
  isFirst(entry: AuditEntry): boolean;
  /** Answers what is to be told of those that were counted, and begins anew. */
  sumUp(): object[];
}

/**
 * Counts attempts of the same address, user, call and error code as one. Beyond {@linkcode
 * AUDIT_REFUSED} different ones it only counts.
 */
export function refusedAttempts(): RefusedAttempts {
  const seen = new Map<string, { readonly entry: AuditEntry; again: number }>();
  let others = 0;
  return {
    isFirst(entry) {
      const { from, user, what, refused } = entry;
      const kind = JSON.stringify([from, user, what, refused?.code]);
      const known = seen.get(kind);
      if (known !== undefined) known.again++;
      else if (seen.size >= AUDIT_REFUSED) others++;
      else {
        seen.set(kind, { entry, again: 0 });
        return true;
      }
      return false;
    },
    sumUp() {
      const told: object[] = [...seen.values()].filter(({ again }) => again > 0)
        .map(({ entry: { from, user, what, refused }, again }) => (
          { user, from, what, refused: { code: refused?.code }, again }
        ));
      if (others > 0) told.push({ what: "other refused attempts", again: others });
      seen.clear();
      others = 0;
      return told;
    },
  };
}
