/**
 * Access: for each access group of a mixer, the fader that its central controls act on
 * (decisions.md, "Control tree").
 *
 * @module
 */
import type { Configuration } from "../configuration/configuration.ts";
import { isRefusal } from "../errors.ts";
import { findFader } from "../tree/resources.ts";
import type { Branch } from "../tree/tree.ts";

/** By mixer and access group, the number of the fader that has access. */
export type Access = ReadonlyMap<number, ReadonlyMap<number, number>>;

/** Access as interfaces report it: all mixers, each with the groups whose access a fader has. */
export interface ToldAccess {
  readonly mixer: Readonly<
    Record<string, { readonly accessgroup: Readonly<Record<string, number>> }>
  >;
}

/** The parts of a state that `tellAccess` reads. */
interface HasAccess {
  readonly configuration: Configuration;
  readonly tree: Branch;
  readonly access: Access;
}

/** Returns the fader of each access group. Faders that are not configured any more are left out. */
export function tellAccess(state: HasAccess): ToldAccess {
  const mixers = state.configuration.mixers.map(({ id: mixer }) => {
    const groups = [...state.access.get(mixer) ?? []]
      .filter(([, fader]) => !isRefusal(findFader(state, { mixer, fader })));
    return [mixer, { accessgroup: Object.fromEntries(groups) }];
  });
  return { mixer: Object.fromEntries(mixers) };
}
