/**
 * How much the state of a console may hold: what clients can add to has to end before the memory
 * and the medium do.
 *
 * @module
 */
import type { Configuration } from "./configuration/configuration.ts";
import { type Refusal, refuse } from "./errors.ts";
import { USERS } from "./limits.ts";
import { DEFAULT_ID, type SnapshotType } from "./snapshots/snapshot.ts";
import type { State } from "./state.ts";

/** The parts of a state that clients add to. External lists have a limit of their own each. */
export type Contents = Pick<State, "snapshots" | "pictures" | "settingsBytes" | "users">;

/** Bytes that a snapshot and a user count for beside their texts. */
const BYTES_OF_ITEM = 256;

/**
 * Answers how many bytes of `limits.stateBytes` a state has: what clients have put into it, that is,
 * the contents of saved snapshots, pictures, settings and users. A character of a text counts as
 * one.
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
 * Counts the saved snapshots of a type. Factory ones are the configuration's, default ones as many
 * as there are mixers.
 */
function savedOf({ snapshots }: Contents, type: SnapshotType): number {
  let count = 0;
  for (const one of snapshots.values()) {
    if (one.type === type && !one.factory && one.id !== DEFAULT_ID) count++;
  }
  return count;
}

/** What of a state has a limit, how much of it there is, and the limit. */
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
 * Refuses (11) what makes of `before` a state that holds more of something than its limit. What
 * adds nothing to it is not refused, also where an older log holds more than may be. It names the
 * parameter that brings it, where there is one.
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
