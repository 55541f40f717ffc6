import type { EventDefinition } from "../event.ts";
import type { State } from "../state.ts";
import { without } from "../without.ts";

/** An access group has got another fader, or none: then `fader` is null. */
export interface AccessChanged {
  readonly type: "accesschanged";
  readonly mixer: number;
  readonly accessgroup: number;
  readonly fader: number | null;
}

/** The event is volatile: after a restart no fader has access. */
export const accesschanged: EventDefinition<AccessChanged> = {
  reduce(state, { mixer, accessgroup, fader }): State {
    const before = state.access.get(mixer) ?? new Map<number, number>();
    const groups = fader === null
      ? without(before, accessgroup)
      : new Map(before).set(accessgroup, fader);
    return { ...state, access: new Map(state.access).set(mixer, groups) };
  },
  log: undefined,
  tell({ access }, { mixer, accessgroup, fader }, note) {
    const before = access.get(mixer)?.get(accessgroup) ?? null;
    note(`/audio/mixers/${mixer}/accessgroup/${accessgroup}`, before, fader);
  },
};
