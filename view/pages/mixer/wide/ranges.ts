/**
 * The ranges of the members of a block, from `range` of the control tree.
 *
 * @module
 */
import {
  isIncrement,
  isLeafDefinition,
  type LeafDefinition,
  type Ranges,
} from "../../../../core/tree/leaf.ts";

/** A member of a block: its path below the block, its name, and its range. */
export interface Member {
  readonly path: string;
  readonly name: string;
  readonly leaf: LeafDefinition;
}

/** Lists the writable members of a block, except for the switch `on`. */
export function membersOf(block: Ranges, above = ""): Member[] {
  return Object.entries(block).flatMap(([name, node]): Member[] => {
    const path = `${above}/${name}`;
    if (!isLeafDefinition(node)) return membersOf(node, path);
    if (name === "on" || isIncrement(node)) return [];
    return [{ path, name: name === "value" ? above.slice(1) : name, leaf: node }];
  });
}
