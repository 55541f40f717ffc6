import type { State } from "../../../core/state.ts";
import { find, type Patch, type Tree } from "../../../core/tree/tree.ts";
import type { Envelope } from "../../control-api/envelope.ts";
import type { Data, EcpCommand } from "../command.ts";
import { faderAt, faderValue } from "../fader.ts";

/** Asks for the PFL of a fader (`pfl1`), sets it, and switches off the PFL of many faders. */
export const pfl: EcpCommand = {
  number: 0x1116_0000,
  variants: {
    0: () => ({
      asking: (state) => setMixers(state, state.configuration.mixers.map(({ id }) => id)),
      answer: (_, isDone) => isDone ? [[]] : [],
    }),
    1: (data) => ({
      asking: (state) => setMixers(state, [data[0]!]),
      answer: (state, isDone) => isDone && fadersOf(state, data[0]!) !== undefined ? [data] : [],
    }),
    2: (data) => ({ answer: (state) => pflData(state, data) }),
    4: (data) => ({
      asking(state) {
        const address = faderAt(state, data);
        if (address === undefined) return undefined;
        const { mixer, fader } = address;
        const others = data[3] === 0 ? {} : pflsOff(state, mixer);
        const payload = { ...others, [fader]: { pfl1: data[2] !== 0 } };
        return { method: "set", path: `/audio/mixers/${mixer}/faders`, payload };
      },
      answer: (state) => pflData(state, data),
    }),
  },
};

function pflData(state: State, data: Uint8Array): readonly Data[] {
  const value = faderValue(state, data, "pfl1");
  return value === undefined ? [] : [[data[0]!, data[1]!, value === true ? 1 : 0, 0]];
}

/** Makes the request that switches PFL off in mixers; undefined where none is on. */
function setMixers(state: State, mixers: readonly number[]): Envelope | undefined {
  const off = mixers
    .map((mixer) => [mixer, { faders: pflsOff(state, mixer) }] as const)
    .filter(([, { faders }]) => Object.keys(faders).length > 0);
  if (off.length === 0) return undefined;
  return { method: "set", path: "/audio/mixers", payload: Object.fromEntries(off) };
}

/** Returns the patch of a mixer that switches off PFL on the faders where it is on. */
function pflsOff(state: State, mixer: number): Patch {
  const on = Object.entries(fadersOf(state, mixer) ?? {}).filter(([, { pfl1 }]) => pfl1);
  return Object.fromEntries(on.map(([fader]) => [fader, { pfl1: false }]));
}

function fadersOf(
  { tree }: State,
  mixer: number,
): Readonly<Record<string, { readonly pfl1: boolean }>> | undefined {
  const faders: Tree | undefined = find(tree, ["audio", "mixers", String(mixer), "faders"]);
  return faders as unknown as ReturnType<typeof fadersOf>;
}
