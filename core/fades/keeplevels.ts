/**
 * Stores the levels of faders that fades have moved.
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { faderOf, levelIn, levelsPatch } from "./unsynced.ts";

/**
 * Stores the level of each fader that rests and whose level is not on the medium yet, and the
 * present level of the fader with the key `replaced`, whose fade has been replaced.
 */
export function keepLevels(replaced?: number): Command<Done> {
  return ({ unsynced, tree }) => {
    const levels = [...unsynced].filter(([key, moves]) => !moves || key === replaced)
      .map(([key]) => faderOf(key))
      .map((fader) => ({ ...fader, dB: levelIn(tree, fader)! }));
    const patch = levelsPatch(levels);
    return { events: levels.length === 0 ? [] : [{ type: "valueskept", patch }], result: {} };
  };
}
