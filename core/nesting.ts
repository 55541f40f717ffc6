/**
 * How deep JSON from outside nests.
 *
 * @module
 */

/** Whether a JSON value nests deeper than so many levels. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  // Most members are plain values: a call for each of 100,000 numbers takes milliseconds.
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (let at = 0; at < members.length; at++) {
    const member = members[at];
    if (typeof member === "object" && nestsDeeper(member, levels - 1)) return true;
  }
  return false;
}
