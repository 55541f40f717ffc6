import type { State } from "../../../core/state.ts";
import { find, formatPath, type Path } from "../../../core/tree/tree.ts";
import type { Envelope } from "../../control-api/envelope.ts";
import { wordAt, wordBytes } from "../block.ts";
import type { Data, EcpCommand } from "../command.ts";

/** Stands for no input, in the variants whose numbers have two bytes. */
const NONE = 0xffff;

/** Asks which input is routed to an output, or to all of them, and routes one or none. */
export const route: EcpCommand = {
  number: 0x01f5_0000,
  variants: {
    0: () => ({
      answer: (state) =>
        state.configuration.routing.outputs.flatMap(({ id }) => routeData(state, id)),
    }),
    2: (data) => ({ answer: (state) => routeData(state, wordAt(data)) }),
    4(data) {
      const [output, input] = [wordAt(data), wordAt(data, 2)];
      return {
        asking: () => setRoute(output, input === NONE ? "" : String(input)),
        answer: (state) => routeData(state, output),
      };
    },
    8(data) {
      const [output, input] = [longAt(data, 0), longAt(data, 4)];
      return {
        asking: () => setRoute(output, input === 0 ? "" : String(input)),
        answer(state) {
          const routed = inputOf(state, output);
          return routed === undefined ? [] : [[...longBytes(output), ...longBytes(routed ?? 0)]];
        },
      };
    },
  },
};

function routeData(state: State, output: number): readonly Data[] {
  const input = inputOf(state, output);
  return input === undefined ? [] : [[...wordBytes(output), ...wordBytes(input ?? NONE)]];
}

/** Returns the input that is routed to an output, null for none; undefined for no such output. */
function inputOf({ tree }: State, output: number): number | null | undefined {
  const value = find(tree, pathOf(output));
  if (value === undefined) return undefined;
  return value === "" ? null : Number(value);
}

function setRoute(output: number, payload: string): Envelope {
  return { method: "set", path: formatPath(pathOf(output)), payload };
}

function pathOf(output: number): Path {
  return ["audio", "routing", "routes", String(output)];
}

function longAt(bytes: Uint8Array, at: number): number {
  return wordAt(bytes, at) * 0x10000 + wordAt(bytes, at + 2);
}

function longBytes(long: number): Data {
  return [...wordBytes(long >>> 16), ...wordBytes(long)];
}
