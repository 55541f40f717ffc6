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

/** A snapshot and a user count so much beside their texts. */
const BYTES_OF_ITEM = 256;

/** How much of what has a limit there is. */
interface Counts {
  /**
   * Saved snapshots of each type. Factory ones are the configuration's, default ones as many as
   * there are mixers.
   */
  readonly snapshots: Record<SnapshotType, number>;
  readonly users: number;
  /**
   * What clients have put into a state: the contents of saved snapshots, pictures, settings and
   * users. A character of a text counts as one.
   */
  readonly bytes: number;
}

/** Counts all at once, for a console may have thousands of snapshots. */
function countsOf({ snapshots, pictures, settingsBytes, users }: Contents): Counts {
  const saved = { 1: 0, 2: 0, 3: 0 };
  let bytes = users.size * BYTES_OF_ITEM;
  for (const { id, type, factory, content } of snapshots.values()) {
    if (factory) continue;
    if (id !== DEFAULT_ID) saved[type]++;
    bytes += BYTES_OF_ITEM + content.length;
  }
  for (const picture of pictures.values()) bytes += picture.bytes.length;
  for (const length of settingsBytes.values()) bytes += length;
  return { snapshots: saved, users: users.size, bytes };
}

/** Answers how many bytes of `limits.stateBytes` a state has. */
export function bytesOf(contents: Contents): number {
  return countsOf(contents).bytes;
}

/** What of a state has a limit. */
interface Measure {
  readonly what: string;
  of(counts: Counts): number;
  most(limits: Configuration["limits"]): number;
}

const measures: readonly Measure[] = [
  ...([1, 2, 3] as const).map((type): Measure => ({
    what: `snapshots of type ${type} (limits.snapshots)`,
    of: ({ snapshots }) => snapshots[type],
    most: ({ snapshots }) => snapshots,
  })),
  { what: "users", of: ({ users }) => users, most: () => USERS },
  {
    what: "bytes of snapshots, pictures, settings and users (limits.stateBytes)",
    of: ({ bytes }) => bytes,
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
  const counts = countsOf(after);
  const over = measures.filter(({ of, most }) => of(counts) > most(limits));
  if (over.length === 0) return undefined;
  const was = countsOf(before);
  const grows = over.find(({ of }) => of(counts) > of(was));
  if (grows === undefined) return undefined;
  const { what, of, most } = grows;
  const sentence = `there would be ${of(counts)} ${what}, expected at most ${most(limits)}`;
  return refuse("limitReached", sentence, parameter);
}
