/**
 * Limits of the state of a console: the parts that clients add to must not exhaust the memory or
 * the medium.
 *
 * @module
 */
import type { Configuration } from "./configuration/configuration.ts";
import { type Refusal, refuse } from "./errors.ts";
import { USERS } from "./limits.ts";
import { DEFAULT_ID, type SnapshotType } from "./snapshots/snapshot.ts";
import type { State } from "./state.ts";

/**
 * The parts of a state that clients add to. External lists and view documents have limits of their
 * own.
 */
export type Contents = Pick<State, "snapshots" | "pictures" | "settingsBytes" | "users">;

/** Number of bytes that a snapshot or a user counts for in addition to its texts. */
const BYTES_OF_ITEM = 256;

/**
 * Returns the size of a state in bytes, for `limits.stateBytes`: the contents of saved snapshots,
 * pictures, settings and users. A character of a text counts as one byte.
 */
export function bytesOf({ snapshots, pictures, settingsBytes, users }: Contents): number {
  let bytes = users.size * BYTES_OF_ITEM;
  for (const { factory, content } of snapshots.values()) {
    if (!factory) bytes += BYTES_OF_ITEM + content.length;
  }
  for (const picture of pictures.values()) bytes += picture.bytes.length;
  for (const length of settingsBytes.values()) bytes += length;
  return bytes;
}

/**
 * Counts the saved snapshots of a type. Factory snapshots belong to the configuration, and default
 * snapshots are limited to one for each mixer.
 */
function savedOf({ snapshots }: Contents, type: SnapshotType): number {
  let count = 0;
  for (const one of snapshots.values()) {
    if (one.type === type && !one.factory && one.id !== DEFAULT_ID) count++;
  }
  return count;
}

/** The limited parts of a state: name, present amount and limit of each. */
const measures: readonly {
  readonly what: string;
  of(contents: Contents): number;
  most(limits: Configuration["limits"]): number;
}[] = [
  ...([1, 2, 3] as const).map((type) => ({
    what: `snapshots of type ${type} (limits.snapshots)`,
    of: (contents: Contents) => savedOf(contents, type),
    most: ({ snapshots }: Configuration["limits"]) => snapshots,
  })),
  { what: "users", of: ({ users }) => users.size, most: () => USERS },
  {
    what: "bytes of snapshots, pictures, settings and users (limits.stateBytes)",
    of: bytesOf,
    most: ({ stateBytes }) => stateBytes,
  },
];

/**
 * Refuses (11) a change from `before` to `after` that exceeds a limit. A change that adds nothing
 * is not refused, even if an older log exceeds the limit. The refusal names the `parameter` that
 * contains the content, if there is one.
 */
export function growthRefusal(
  before: Contents,
  after: Contents,
  { limits }: Pick<Configuration, "limits">,
  parameter?: string,
): Refusal | undefined {
  for (const { what, of, most } of measures) {
    const count = of(after);
    if (count <= most(limits) || count <= of(before)) continue;
    const sentence = `there would be ${count} ${what}, expected at most ${most(limits)}`;
    return refuse("limitReached", sentence, parameter);
  }
}
