/**
 * Tables of parts of the control tree, such as meters, in the shape of the tree.
 *
 * @module
 */

/** A part of a table; whatever stands at and below `true` belongs to it. */
export type Parts = PartsBranch | true;

/** A part of a table with parts of its own; the member `*` stands for all that it does not name. */
export interface PartsBranch {
  readonly [member: string]: Parts;
}

/** Returns the part of a table at a member; undefined where there is none. */
export function partsBelow(parts: Parts | undefined, member: string): Parts | undefined {
  if (parts === undefined || parts === true) return parts;
  return Object.hasOwn(parts, member) ? parts[member] : parts["*"];
}
