import type { State } from "../../../core/state.ts";
import { find, formatPath, type Path } from "../../../core/tree/tree.ts";
import { wordAt, wordBytes } from "../block.ts";
import type { Data, EcpCommand } from "../command.ts";
import { levelAt, levelBytes } from "../level.ts";

/** Asks for a pot, and sets it. */
export const pot: EcpCommand = {
  number: 0x1110_0000,
  variants: {
    2(data) {
      const number = wordAt(data);
      return { answer: (state) => potData(state, number) };
    },
    4(data) {
      const number = wordAt(data);
      const path = formatPath(pathOf(number));
      return {
        overlaps: true,
        asking: () => ({ method: "set", path, payload: levelAt(data, 2) }),
        answer: (state) => potData(state, number),
      };
    },
  },
};

function potData({ tree }: State, number: number): readonly Data[] {
  const value = find(tree, pathOf(number));
  return typeof value === "number" ? [[...wordBytes(number), ...levelBytes(value)]] : [];
}

function pathOf(number: number): Path {
  return ["audio", "pots", String(number), "value"];
}
