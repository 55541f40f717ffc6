import type { EventDefinition } from "../event.ts";
import type { State } from "../state.ts";
import { without } from "../without.ts";
import type { Handover } from "./handover.ts";

/** A code for the hand-over of a user was made. */
export interface HandoverMade {
  readonly type: "handovermade";
  readonly name: string;
  readonly handover: Handover;
  /** A user whose unusable code is forgotten to make room. */
  readonly over?: string;
}

/** The event is volatile: a restart makes codes void, and they are never stored. */
export const handovermade: EventDefinition<HandoverMade> = {
  reduce(state, { name, handover, over }): State {
    const others = without(state.handovers, name, ...(over === undefined ? [] : [over]));
    return { ...state, handovers: new Map(others).set(name, handover) };
  },
  log: undefined,
  tell: (_before, { name, handover }, note) =>
    note(`/users/${name}/handover`, undefined, { expires: handover.expires }),
};
