/**
 * Gives access to a fader: the RPC `setaccess`, an addition to the specification.
 *
 * @module
 */
import { changesConfiguration } from "../backup/restored.ts";
import type { Command, Done } from "../command.ts";
import { isRefusal } from "../errors.ts";
import { findFader, mixerPath } from "../tree/resources.ts";

/** The access group of a mixer, and the fader that gets its access; `null` for no fader. */
export interface SetAccess {
  readonly mixer: number;
  readonly accessgroup: number;
  readonly fader: number | null;
}

/**
 * Gives the access of a group to a fader, and takes it from the previous fader. Refused: an unknown
 * mixer or fader (6).
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
