import { type EventDefinition, tellsNothing } from "../event.ts";
import type { State } from "../state.ts";
import type { FaderAddress } from "../tree/resources.ts";
import { faderKey } from "./adrift.ts";

/** Some faders move no longer. */
export interface FadeEnded {
  readonly type: "fadeended";
  readonly faders: readonly FaderAddress[];
}

/** It is volatile: the levels at which the faders rest are kept by `valueskept`. */
export const fadeended: EventDefinition<FadeEnded> = {
  reduce(state, { faders }): State {
    const adrift = new Map(state.adrift);
    for (const key of faders.map(faderKey)) if (adrift.has(key)) adrift.set(key, false);
    return { ...state, adrift };
  },
  log: undefined,
  tell: tellsNothing,
};
