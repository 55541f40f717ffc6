/**
 * User groups as bitmasks (service.md, "Resources": group N of 1..8 has the value 2^(N-1)).
 *
 * @module
 */

/** Number of groups; their numbers begin at 1. */
export const GROUPS = 8;

/** The bitmask of all groups: 255. */
export const ALL_GROUPS = 2 ** GROUPS - 1;

/** Lists the numbers of the groups in a bitmask: `[1, 4, 8]` for 137. */
export function groupNumbers(mask: number): number[] {
  return Array.from({ length: GROUPS }, (_, index) => index + 1)
    .filter((group) => (mask & 2 ** (group - 1)) !== 0);
}

/** Reads a list like `1,4,8` as a bitmask; undefined if it is not a list of groups from 1 to 8. */
export function groupMask(list: string): number | undefined {
  const groups = list.split(",").map((text) => text.trim());
  if (!groups.every((text) => /^[1-8]$/.test(text))) return undefined;
  return groups.reduce((mask, text) => mask | 2 ** (Number(text) - 1), 0);
}
