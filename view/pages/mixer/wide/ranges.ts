/**
 * What the members of a block may hold, as `range` of the control tree has it.
 *
 * @module
 */
import {
  isIncrement,
  isLeafDefinition,
  type LeafDefinition,
  type Ranges,
} from "../../../../core/tree/leaf.ts";

/** Every block of `params`, with what its members may hold. */
export type RangesOf = Ranges;

/** A member of a block: its path below the block, the member that names it, what it may hold. */
export interface Member {
  readonly path: string;
  readonly name: string;
  readonly leaf: LeafDefinition;
}

/** Lists the members of a block that can be set, the switch `on` left out. */
export function membersOf(block: Ranges, above = ""): Member[] {
  return Object.entries(block).flatMap(([name, node]): Member[] => {
    const path = `${above}/${name}`;
    if (!isLeafDefinition(node)) return membersOf(node, path);
    if (name === "on" || isIncrement(node)) return [];
    return [{ path, name: name === "value" ? above.slice(1) : name, leaf: node }];
  });
}
