/**
 * The attributes of a snapshot that its dialog changes.
 *
 * @module
 */
import type { Listed } from "./may.ts";

/** A name and two bitmasks of groups: group N (1..8) is 2^(N-1). */
export type Description = Pick<Listed, "name" | "writegroups" | "readgroups">;

/**
 * Returns the attributes of `given` that `entry`, the snapshot when its dialog opened, does not
 * have. Another admin may have changed the others since.
 */
export function changesOf(entry: Listed, given: Description): Partial<Description> {
  return Object.fromEntries(
    Object.entries(given).filter(([member, value]) => value !== entry[member as keyof Listed]),
  );
}
