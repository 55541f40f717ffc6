/**
 * Access: of each access group of a mixer, the fader that its central controls act on (decisions.md,
 * "Control tree").
 *
 * @module
 */
import type { Configuration } from "../configuration/configuration.ts";
import { isRefusal } from "../errors.ts";
import { findFader } from "../tree/resources.ts";
import type { Branch } from "../tree/tree.ts";

/** By mixer and access group, the number of the fader that has access. */
export type Access = ReadonlyMap<number, ReadonlyMap<number, number>>;

/** What an interface tells of access: every mixer, and those of its groups that a fader has. */
export interface ToldAccess {
  readonly mixer: Readonly<
    Record<string, { readonly accessgroup: Readonly<Record<string, number>> }>
  >;
}

/** Whatever has access and its faders, such as a state. */
interface HasAccess {
  readonly configuration: Configuration;
  readonly tree: Branch;
  readonly access: Access;
}

/** Returns the fader of each access group. A fader that the configuration has no longer is left out. */
export function tellAccess(state: HasAccess): ToldAccess {
  const mixers = state.configuration.mixers.map(({ id: mixer }) => {
    const groups = [...state.access.get(mixer) ?? []]
      .filter(([, fader]) => !isRefusal(findFader(state, { mixer, fader })));
    return [mixer, { accessgroup: Object.fromEntries(groups) }];
  });
  return { mixer: Object.fromEntries(mixers) };
}
