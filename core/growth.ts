/**
 * How much the state of a console may hold: what clients can add to has to end before the memory
 * and the medium do.
 *
 * @module
 */
import type { Configuration } from "./configuration/configuration.ts";
import { type Refusal, refuse } from "./errors.ts";
import { USERS } from "./limits.ts";
import { DEFAULT_ID } from "./snapshots/snapshot.ts";
import type { State } from "./state.ts";

/** The parts of a state that clients add to. */
export type Contents = Pick<State, "snapshots" | "pictures" | "settings" | "users" | "lists">;

/** A snapshot, a user and an entry of a list count so much beside their texts. */
const BYTES_OF_ITEM = 256;

/**
 * Answers how many bytes clients have put into a state: the contents of saved snapshots, pictures,
 * settings, users and external lists. A character of a text counts as one.
 */
export function bytesOf({ snapshots, pictures, settings, users, lists }: Contents): number {
  let bytes = users.size * BYTES_OF_ITEM;
  for (const { factory, content } of snapshots.values()) {
    if (!factory) bytes += BYTES_OF_ITEM + content.length;
  }
  for (const picture of pictures.values()) bytes += picture.bytes.length;
  for (const document of settings.values()) bytes += JSON.stringify(document).length;
  for (const { entries } of lists.values()) {
    for (const { label } of entries) bytes += BYTES_OF_ITEM + label.length;
  }
  return bytes;
}

/** What of a state has a limit. */
interface Measure {
  readonly what: string;
  of(contents: Contents): number;
  most(limits: Configuration["limits"]): number;
}

const measures: readonly Measure[] = [
  ...([1, 2, 3] as const).map((type): Measure => ({
    what: `snapshots of type ${type} (limits.snapshots)`,
    // Factory ones are the configuration's, default ones as many as there are mixers.
    of: ({ snapshots }) =>
      [...snapshots.values()].filter((one) =>
        one.type === type && !one.factory && one.id !== DEFAULT_ID
      ).length,
    most: ({ snapshots }) => snapshots,
  })),
  { what: "users", of: ({ users }) => users.size, most: () => USERS },
  {
    what: "bytes of snapshots, pictures, settings, users and lists (limits.stateBytes)",
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
