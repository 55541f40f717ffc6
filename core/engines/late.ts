import type { Command, Done } from "../command.ts";
import { changed } from "./claim.ts";

/** Takes the word of the engine of a connection that it falls behind, or keeps up again. */
export function tellLate(connection: number, isLate: boolean): Command<Done> {
  return (state) => {
    const { engines } = state;
    const claim = engines.claims.get(connection);
    if (claim === undefined || claim.isLate === isLate) return { events: [], result: {} };
    const claims = new Map(engines.claims).set(connection, { ...claim, isLate });
    return { events: changed(state, { ...engines, claims }), result: {} };
  };
}
