/**
 * The groups of users, and the bitmasks by which the console names them.
 *
 * @module
 */

/** All groups. */
export const GROUPS: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8];

/** The bitmask of one group: group N is 2^(N-1). */
export function maskOf(group: number): number {
  return 2 ** (group - 1);
}

/** The numbers of the groups in a bitmask: 5 is groups 1 and 3. */
export function groupsIn(mask: number): number[] {
  return GROUPS.filter((group) => (mask & maskOf(group)) !== 0);
}
