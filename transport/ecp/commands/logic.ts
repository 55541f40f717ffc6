import type { State } from "../../../core/state.ts";
import { find, formatPath, type Path } from "../../../core/tree/tree.ts";
import { wordAt, wordBytes } from "../block.ts";
import type { Data, EcpCommand } from "../command.ts";

/** Asks for a logic, and sets it. Every client is told of changes, without asking for them. */
export const logic: EcpCommand = {
  number: 0x110e_0000,
  variants: {
    2(data) {
      const number = wordAt(data);
      return { answer: (state) => [logicData(number, isOn(state, number))] };
    },
    3(data) {
      const number = wordAt(data);
      const path = formatPath(pathOf(number));
      return {
        logic: number,
        asking: () => ({ method: "set", path, payload: data[2] !== 0 }),
        answer: (state) => [logicData(number, isOn(state, number))],
      };
    },
  },
};

/** Returns the data that tell a logic. */
export function logicData(number: number, isOn: boolean): Data {
  return [...wordBytes(number), isOn ? 1 : 0];
}

/**
 * Says whether a logic is on. A logic that does not exist is off: clients wait for an answer, and
 * without it some stop asking for the other logics, too.
 */
function isOn({ tree }: State, number: number): boolean {
  return find(tree, pathOf(number)) === true;
}

function pathOf(number: number): Path {
  return ["control", "logics", String(number), "value"];
}
