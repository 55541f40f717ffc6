import type { EventDefinition } from "../event.ts";
import type { FaderAddress } from "../tree/resources.ts";
import { faderKey } from "./adrift.ts";

/** A fader began to move, or to move elsewhere. */
export interface FadeStarted extends FaderAddress {
  readonly type: "fadestarted";
  /** Target, -160..10 dB. */
  readonly value: number;
  /** Duration, in s. */
  readonly seconds: number;
}

/** Volatile: where the fader comes to rest is durable. */
export const fadestarted: EventDefinition<FadeStarted> = {
  reduce: (state, event) => ({
    ...state,
    adrift: new Map(state.adrift).set(faderKey(event), true),
  }),
  log: undefined,
};
