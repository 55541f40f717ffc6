/**
 * Carries out the RPC `fadetovalue` (service.md, "RPC methods").
 *
 * @module
 */
import { stepsOf } from "../../fade/plan.ts";
import { changesConfiguration } from "../backup/restored.ts";
import type { Command, Done } from "../command.ts";
import { isRefusal, refuse } from "../errors.ts";
import { isStoring, storageOf } from "../storage-alarm.ts";
import { type FaderAddress, findFader } from "../tree/resources.ts";
import { writeChange } from "../tree/set.ts";
import { faderKey, levelIn, movingCount } from "./unsynced.ts";

/** The parameters of a fade. */
export interface FadeToValue extends FaderAddress {
  /** The duration, 0..30 s, rounded to the nearest 0.020 s; 0 sets the fader at once. */
  readonly seconds: number;
  /** The target, -160..10 dB. */
  readonly value: number;
}

/**
 * Fades a fader to a level, always linear in the travel. A new fade of a fader replaces the running
 * one from its present level; a set or a load of that fader ends it. Refused: an unknown mixer or
 * fader (6), more concurrent fades than `limits.fades` (11); with `storage.onFault` "refuse", any
 * fade while the storage alarm lasts (12), because a restart would lose the level that it reaches.
 */
export function fadeToValue(params: FadeToValue): Command<Done> {
  return (state) => {
    const { mixer, fader, seconds, value } = params;
    const path = findFader(state, params);
    if (isRefusal(path)) return path;
    if (stepsOf(seconds) === 0) {
      const written = writeChange(state, [...path, "fader"], value);
      return isRefusal(written) ? written : { events: written.events, result: {} };
    }
    const { limits: { fades }, storage } = state.configuration;
    if (state.unsynced.get(faderKey(params)) !== true && movingCount(state.unsynced) >= fades) {
      return refuse("limitReached", `${fades} faders are moving already`);
    }
    if (storage.onFault === "refuse" && !isStoring(state)) {
      return refuse("notStored", `the medium stores no changes: ${storageOf(state)}`);
    }
    return {
      events: [{ type: "fadestarted", mixer, fader, seconds, value }],
      result: {},
      // A set of this fader that is being stored comes first: the fade starts from its level.
      waitsFor: (event) =>
        changesConfiguration(event) ||
        event.type === "treechanged" && levelIn(event.patch, params) !== undefined,
    };
  };
}
