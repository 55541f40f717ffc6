/**
 * What depends on the firmware (service.md, "Versioning").
 *
 * @module
 */

/** Whether a version is another or later: `isAtLeast("10.1.0", "9.1")`. A missing part is 0. */
export function isAtLeast(version: string, least: string): boolean {
  const [have, need] = [parts(version), parts(least)];
  for (let at = 0; at < Math.max(have.length, need.length); at++) {
    const difference = (have[at] ?? 0) - (need[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function parts(version: string): number[] {
  return version.split(".").map(Number);
}
