/**
 * Gives access to a fader: the RPC `setaccess`, an addition to the specification.
 *
 * @module
 */
import { changesConfiguration } from "../backup/restored.ts";
import type { Command, Done } from "../command.ts";
import { isRefusal } from "../errors.ts";
import { findFader, mixerPath } from "../tree/resources.ts";

/** The access group of a mixer, and the fader that is to have it; `null` for none. */
export interface SetAccess {
  readonly mixer: number;
  readonly accessgroup: number;
  readonly fader: number | null;
}

/**
 * Gives a fader the access of a group, in place of the one that had it. Refused: an unknown mixer or
 * fader (6).
 */
export function setAccess({ mixer, accessgroup, fader }: SetAccess): Command<Done> {
  return (state) => {
    const path = fader === null ? mixerPath(state, mixer) : findFader(state, { mixer, fader });
    if (isRefusal(path)) return path;
    const before = state.access.get(mixer)?.get(accessgroup) ?? null;
    const change = { type: "accesschanged", mixer, accessgroup, fader } as const;
    return {
      events: before === fader ? [] : [change],
      result: {},
      waitsFor: changesConfiguration,
    };
  };
}
