/**
 * A patch is a nested partial of the control tree: what changed, and only that. The reducer merges
 * it, a subscriber is sent the part of it below its path, and the log stores it.
 *
 * @module
 */

/** A value of the control tree that is set whole: a number, boolean, string, or list of them. */
export type Leaf = number | boolean | string | readonly (number | string)[];

/** A branch of the control tree. Immutable: a change makes new branches along its path. */
export interface Branch {
  readonly [member: string]: Tree;
}

/** Any part of the control tree; `Branch[]` is a mixer's `sourcelist`. */
export type Tree = Leaf | Branch | readonly Branch[];

/** A nested partial of the tree: what changed, and only that. */
export interface Patch {
  readonly [member: string]: Leaf | Patch;
}
