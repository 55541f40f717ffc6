import type { EventDefinition } from "../event.ts";
import type { State } from "../state.ts";
import { type FaderAddress, faderPath } from "../tree/resources.ts";
import { formatPath } from "../tree/tree.ts";
import { faderKey, levelIn } from "./unsynced.ts";

/** A fader began to move, or to move to another level. */
export interface FadeStarted extends FaderAddress {
  readonly type: "fadestarted";
  /** The target, -160..10 dB. */
  readonly value: number;
  /** The duration, in s. */
  readonly seconds: number;
}

/** It is volatile: a restart does not go on with a fade, but finds where the fader last rested. */
export const fadestarted: EventDefinition<FadeStarted> = {
  reduce: (state, event): State => ({
    ...state,
    unsynced: new Map(state.unsynced).set(faderKey(event), true),
  }),
  log: undefined,
  tell({ tree }, { value, seconds, ...address }, note) {
    const path = formatPath([...faderPath(address), "fader"]);
    note(path, levelIn(tree, address), { value, seconds });
  },
};
