import { type EventDefinition, tellsNothing } from "../event.ts";
import type { State } from "../state.ts";
import type { FaderAddress } from "../tree/resources.ts";
import { faderKey } from "./unsynced.ts";

/** Some faders do not move any more. */
export interface FadeEnded {
  readonly type: "fadeended";
  readonly faders: readonly FaderAddress[];
}

/** It is volatile: the levels at which the faders rest are kept by `valueskept`. */
export const fadeended: EventDefinition<FadeEnded> = {
  reduce(state, { faders }): State {
    const unsynced = new Map(state.unsynced);
    for (const key of faders.map(faderKey)) if (unsynced.has(key)) unsynced.set(key, false);
    return { ...state, unsynced };
  },
  log: undefined,
  tell: tellsNothing,
};
