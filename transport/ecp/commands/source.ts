import type { State } from "../../../core/state.ts";
import { wordAt, wordBytes } from "../block.ts";
import type { Data, EcpCommand } from "../command.ts";
import { faderValue, setFader } from "../fader.ts";

/** Asks which channel a fader carries, and sets it. */
export const source: EcpCommand = {
  number: 0x110d_0000,
  variants: {
    2: (data) => ({ answer: (state) => sourceData(state, data) }),
    4: (data) => ({
      asking: (state) => setFader(state, data, "sourceid", wordAt(data, 2)),
      answer: (state) => sourceData(state, data),
    }),
  },
};

function sourceData(state: State, data: Uint8Array): readonly Data[] {
  const value = faderValue(state, data, "sourceid");
  return typeof value === "number" ? [[data[0]!, data[1]!, ...wordBytes(value)]] : [];
}
