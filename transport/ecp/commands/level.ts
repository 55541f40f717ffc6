import { FADE_SECONDS, FADER_DB } from "../../../core/limits.ts";
import type { State } from "../../../core/state.ts";
import { wordAt } from "../block.ts";
import type { Data, EcpCommand } from "../command.ts";
import { faderAt, faderValue, setFader } from "../fader.ts";
import { levelAt, levelBytes } from "../level.ts";

const SECOND_MS = 1000;

/**
 * Asks for the level of a fader, sets it, or fades it; and says whether the client is told of
 * changes of levels. A fade is linear in the travel of the fader, whatever its type says.
 */
export const level: EcpCommand = {
  number: 0x1103_0000,
  variants: {
    1: ([isOn]) => isOn! > 1 ? undefined : { levels: isOn === 1, answer: () => [] },
    2: (data) => ({ answer: (state) => levelData(state, data) }),
    4: (data) => ({
      overlaps: true,
      asking: (state) => setFader(state, data, "fader", levelAt(data, 2)),
      answer: (state) => levelData(state, data),
    }),
    7: (data) => ({
      asking(state) {
        const address = faderAt(state, data);
        const value = Math.min(FADER_DB.max, Math.max(FADER_DB.min, levelAt(data, 2)));
        const time = Math.min(FADE_SECONDS.max, wordAt(data, 4) / SECOND_MS);
        const params = { ...address, time, value };
        return address && { method: "rpc", payload: { method: "fadetovalue", params } };
      },
      answer: (state) => levelData(state, data),
    }),
  },
};

/** Returns the data that tell the level of the fader that the first two bytes name. */
export function levelData(state: State, data: Uint8Array): readonly Data[] {
  const value = faderValue(state, data, "fader");
  return typeof value === "number" ? [[data[0]!, data[1]!, ...levelBytes(value)]] : [];
}
