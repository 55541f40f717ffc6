/**
 * Queries of the audit trail, which select some of its lines.
 *
 * @module
 */
import type { AuditEntry } from "./audit.ts";
import type { Refusal } from "./errors.ts";

/** A line of the audit trail: an entry, or the number of entries without a line of their own. */
export interface AuditLine extends Partial<Omit<AuditEntry, "changes">> {
  /** Time at which the change came into force or was refused, in ISO 8601 and UTC. */
  readonly at: string;
  readonly what: string;
  /** The first values that changed; `before` or `after` is absent if there was no value. */
  readonly changes?: readonly {
    readonly path: string;
    readonly before?: unknown;
    readonly after?: unknown;
  }[];
  /** The number of equal calls that were merged into this line. */
  readonly again?: number;
  /** The number of lines before this one that could not be written. */
  readonly lost?: number;
}

/** The outcomes of calls in the audit trail. */
export const OUTCOMES = ["done", "refused"] as const;

/** A query: it selects the lines that meet all conditions given. */
export interface AuditQuery {
  /** The earliest time, in ms since 1970. */
  readonly since?: number | undefined;
  /** The end of the time range, exclusive, in ms since 1970. */
  readonly until?: number | undefined;
  /** The name of the user; empty for callers who were not logged in. */
  readonly user?: string | undefined;
  /** The path of a changed value or of a refused call, or a path above it. */
  readonly path?: string | undefined;
  readonly outcome?: (typeof OUTCOMES)[number] | undefined;
  /** The maximum number of lines. */
  readonly limit: number;
}

/**
 * Reads the newest selected lines of the audit trail, the newest first. Refuses (6) if the trail
 * cannot be read.
 */
export type ReadAudit = (query: AuditQuery) => Promise<readonly AuditLine[] | Refusal>;

/** Returns the function that says whether a query selects a line; it ignores the limit. */
export function auditFilter(query: AuditQuery): (line: AuditLine) => boolean {
  const { since, until, user, path, outcome } = query;
  const branch = path === undefined ? undefined : branchOf(path);
  return (line) =>
    (since === undefined || Date.parse(line.at) >= since) &&
    (until === undefined || Date.parse(line.at) < until) &&
    (user === undefined || user === (line.user ?? "")) &&
    (outcome === undefined || (outcome === "done" ? line.changes : line.refused) !== undefined) &&
    (branch === undefined || pathsOf(line).some((path) => branchOf(path).startsWith(branch)));
}

/** A path with one slash at either end, so that every path below it begins with it. */
function branchOf(path: string): string {
  return `/${path.replace(/^\/+|\/+$/g, "")}/`.replace("//", "/");
}

function pathsOf({ changes, target }: AuditLine): readonly string[] {
  if (changes !== undefined) return changes.map(({ path }) => path);
  if (typeof target === "string") return [target];
  const { fader, mixer = 0 } = (target ?? {}) as { readonly fader?: unknown; mixer?: unknown };
  return fader === undefined ? [] : [`/audio/mixers/${mixer}/faders/${fader}`];
}
