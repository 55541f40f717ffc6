/**
 * The order of the audit trail of a fleet, whose entries are kept in two lists: those of the hubs,
 * and those that consoles have told. So whatever consoles tell, the entries of the hubs stay.
 *
 * @module
 */
import type { FleetAuditEntry } from "./ledger.ts";

/** Each earlier time is that of a clock that was not set yet, such as 1970 after a boot. */
const SET = "2020";

/**
 * Returns the times by which the entries of a list are ordered. An entry of a clock that was not
 * set has the time of the entry before it: else it would hide all entries before it behind those of
 * the other list.
 */
function timesOf(entries: readonly FleetAuditEntry[]): readonly string[] {
  let before = "";
  return entries.map(({ time }) => before = time < SET && before !== "" ? before : time);
}

/**
 * Returns the newest entries of two lists, the newest first; each list has its oldest entry first.
 */
export function newestOf(
  one: readonly FleetAuditEntry[],
  other: readonly FleetAuditEntry[],
  most: number,
): readonly FleetAuditEntry[] {
  const newest: FleetAuditEntry[] = [];
  const [ofOne, ofOther] = [timesOf(one), timesOf(other)];
  let [left, right] = [one.length - 1, other.length - 1];
  while (newest.length < most && (left >= 0 || right >= 0)) {
    const isLeft = right < 0 || (left >= 0 && ofOne[left]! >= ofOther[right]!);
    newest.push(isLeft ? one[left--]! : other[right--]!);
  }
  return newest;
}
