/**
 * The differences of two snapshots, leaf by leaf.
 *
 * @module
 */
import { isIncrement, isLeafDefinition, type Ranges } from "../../../core/tree/leaf.ts";
import { type Branch, isBranch, type Leaf } from "../../../core/tree/tree.ts";
import { type Difference, isTold } from "../../parts/difference.ts";

/**
 * Returns the leaves of `ranges` that differ in two contents, or that one of them lacks, the leaves
 * of each branch before the branches below it.
 */
export function comparison(one: Branch, other: Branch, ranges: Ranges): Difference[] {
  const found: Difference[] = [];
  collect(one, other, ranges, []);
  return found;

  function collect(
    one: Branch | undefined,
    other: Branch | undefined,
    ranges: Ranges,
    above: readonly string[],
  ): void {
    const members = Object.entries(ranges);
    for (const [member, leaf] of members) {
      if (!isLeafDefinition(leaf) || isIncrement(leaf) || !isTold(member)) continue;
      const from = one?.[member] as Leaf | undefined;
      const to = other?.[member] as Leaf | undefined;
      if (from !== to) found.push({ path: [...above, member], from, to, leaf });
    }
    for (const [member, below] of members) {
      if (isLeafDefinition(below)) continue;
      collect(branchIn(one, member), branchIn(other, member), below, [...above, member]);
    }
  }
}

function branchIn(branch: Branch | undefined, member: string): Branch | undefined {
  const below = branch?.[member];
  return isBranch(below) ? below : undefined;
}
