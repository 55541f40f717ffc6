import type { EventDefinition } from "../event.ts";
import type { State } from "../state.ts";

/** The code for the hand-over of a user was used up. */
export interface HandoverTaken {
  readonly type: "handovertaken";
  readonly name: string;
}

/**
 * The event is volatile, and comes into force with the new token (`userwritten`): if the token
 * cannot be stored, the code is not used up.
 */
export const handovertaken: EventDefinition<HandoverTaken> = {
  reduce(state, { name }): State {
    const handover = state.handovers.get(name);
    if (handover === undefined) return state;
    const taken = { ...handover, isTaken: true } as const;
    return { ...state, handovers: new Map(state.handovers).set(name, taken) };
  },
  log: undefined,
  tell: ({ handovers }, { name }, note) =>
    note(`/users/${name}/handover`, { expires: handovers.get(name)?.expires }, undefined),
};
