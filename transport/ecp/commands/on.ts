import type { State } from "../../../core/state.ts";
import type { Data, EcpCommand } from "../command.ts";
import { faderValue, setFader } from "../fader.ts";

/** Switches a fader on or off. Asking for its state is an addition of ours. */
export const on: EcpCommand = {
  number: 0x1102_0000,
  variants: {
    2: (data) => ({ answer: (state) => onData(state, data) }),
    3: (data) => ({
      overlaps: true,
      asking: (state) => setFader(state, data, "on", data[2] !== 0),
      answer: (state) => onData(state, data),
    }),
  },
};

function onData(state: State, data: Uint8Array): readonly Data[] {
  const value = faderValue(state, data, "on");
  return value === undefined ? [] : [[data[0]!, data[1]!, value === true ? 1 : 0]];
}
