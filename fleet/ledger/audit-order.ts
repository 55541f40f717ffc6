/**
 * The order of the audit trail of a fleet, whose entries are kept in two lists: those of the hubs,
 * and those that consoles have told. So whatever consoles tell, the entries of the hubs stay.
 *
 * @module
 */
import type { FleetAuditEntry } from "./ledger.ts";

/**
 * Returns the newest entries of two lists, the newest first; each list has its oldest entry first.
 */
export function newestOf(
  one: readonly FleetAuditEntry[],
  other: readonly FleetAuditEntry[],
  most: number,
): readonly FleetAuditEntry[] {
  const newest: FleetAuditEntry[] = [];
  let [left, right] = [one.length - 1, other.length - 1];
  while (newest.length < most && (left >= 0 || right >= 0)) {
    const isLeft = right < 0 || (left >= 0 && one[left]!.time >= other[right]!.time);
    newest.push(isLeft ? one[left--]! : other[right--]!);
  }
  return newest;
}
