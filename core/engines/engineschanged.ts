import type { EventDefinition } from "../event.ts";
import type { State } from "../state.ts";
import { formatPath } from "../tree/tree.ts";
import type { Claim, Engines } from "./engines.ts";

/** An engine has begun to play a console or a part of it, or plays it no more. */
export interface EnginesChanged {
  readonly type: "engineschanged";
  readonly engines: Engines;
}

/** It is volatile: a claim lasts as long as the connection that it was made on. */
export const engineschanged: EventDefinition<EnginesChanged> = {
  reduce: (state, { engines }): State => ({ ...state, engines }),
  log: undefined,
  tell({ engines: { claims: before } }, { engines: { claims: after } }, note) {
    for (const connection of new Set([...before.keys(), ...after.keys()])) {
      const was = before.get(connection);
      const is = after.get(connection);
      // That an engine is late is nobody's doing.
      const isClaimed = was?.paths !== is?.paths;
      if (isClaimed) note(`/engines/${(is ?? was)!.user}`, written(was), written(is));
    }
  },
};

function written(claim: Claim | undefined): string | undefined {
  return claim?.paths.map(formatPath).join(" ");
}
