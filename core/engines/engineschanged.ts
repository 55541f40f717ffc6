import type { EventDefinition } from "../event.ts";
import type { State } from "../state.ts";
import { formatPath } from "../tree/tree.ts";
import type { Claim, Engines } from "./engines.ts";

/** An engine has begun or stopped rendering paths of a console, or its lateness has changed. */
export interface EnginesChanged {
  readonly type: "engineschanged";
  readonly engines: Engines;
}

/** The event is volatile: a claim ends with its connection. */
export const engineschanged: EventDefinition<EnginesChanged> = {
  reduce: (state, { engines }): State => ({ ...state, engines }),
  log: undefined,
  tell({ engines: { claims: before } }, { engines: { claims: after } }, note) {
    for (const connection of new Set([...before.keys(), ...after.keys()])) {
      const was = before.get(connection);
      const is = after.get(connection);
      // The lateness of an engine is not a change made by a user.
      const isClaimed = was?.paths !== is?.paths;
      if (isClaimed) note(`/engines/${(is ?? was)!.user.name}`, written(was), written(is));
    }
  },
};

function written(claim: Claim | undefined): string | undefined {
  return claim?.paths.map(formatPath).join(" ");
}
