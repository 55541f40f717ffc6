/**
 * Logics follow fader channels by their numbers, which a configuration need not write out.
 *
 * @module
 */
import type { Fault } from "./faults.ts";
import type { ParsedConfiguration } from "./schema.ts";

/**
 * Finds channels that a logic follows and no fader has at first; each step finds one, or,
 * undefined, none.
 */
export function* followedFaults(
  { logics }: Pick<ParsedConfiguration, "logics">,
  channels: ReadonlySet<number>,
): Generator<Fault | undefined> {
  for (const [index, { follows = [] }] of logics.entries()) {
    for (const [at, channel] of follows.entries()) {
      yield channels.has(channel) ? undefined : {
        path: `logics.${index}.follows.${at}`,
        reason: `${channel} is not the channel of any fader`,
      };
    }
  }
}
