import type { EventDefinition } from "../event.ts";
import type { State } from "../state.ts";
import { without } from "../without.ts";
import type { Handover } from "./handover.ts";

/** A code for the hand-over of a user was made. */
export interface HandoverMade {
  readonly type: "handovermade";
  readonly name: string;
  readonly handover: Handover;
  /** A user whose code is forgotten for it, as it cannot be used any more. */
  readonly over?: string;
}

/** The event is volatile: a code is worth nothing after a restart, and never on the medium. */
export const handovermade: EventDefinition<HandoverMade> = {
  reduce(state, { name, handover, over }): State {
    const others = without(state.handovers, name, ...(over === undefined ? [] : [over]));
    return { ...state, handovers: new Map(others).set(name, handover) };
  },
  log: undefined,
  tell: (_before, { name, handover }, note) =>
    note(`/users/${name}/handover`, undefined, { expires: handover.expires }),
};
