/**
 * What has changed between two trees.
 *
 * @module
 */
import { type Branch, isBranch, type Leaf, type Patch } from "./tree.ts";

/**
 * The leaves of `after` that are others in `before`, for which `takes` says yes by their name;
 * undefined for none. Lists are not looked into. Parts that both trees share cost nothing.
 */
export function difference(
  before: Branch,
  after: Branch,
  takes: (member: string) => boolean,
): Patch | undefined {
  const changed: Record<string, Patch[string]> = {};
  for (const [member, value] of Object.entries(after)) {
    const was = before[member];
    if (was === value || Array.isArray(value)) continue;
    if (isBranch(value)) {
      const inner = isBranch(was) ? difference(was, value, takes) : undefined;
      if (inner !== undefined) changed[member] = inner;
    } else if (takes(member)) {
      changed[member] = value as Leaf;
    }
  }
  return Object.keys(changed).length > 0 ? changed : undefined;
}
