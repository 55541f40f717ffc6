/**
 * Changes of the state as the audit trail, and a preview of a command of a fleet, name them.
 *
 * @module
 */

/** The change of one value. */
export interface Change {
  /** The path of the value: in the control tree, or one such as `/users/anna`. */
  readonly path: string;
  /** The value before; undefined if there was none. */
  readonly before: unknown;
  /** The value after; undefined if it was removed. */
  readonly after: unknown;
}

/** Changed values, as many of them as the audit trail has room for. */
export interface NotedChanges {
  /** The first values; long texts are cut, and parts that look like a secret are masked. */
  readonly changes: readonly Change[];
  /** The number of further values. */
  readonly more?: number;
}
